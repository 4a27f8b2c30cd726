// What is asked of a page as such: contrast of every text, names of everything that can be used, how
// long its tasks took.

// Texts whose colour and ground are too close, as sentences. Runs in the page.
function findFaint() {
  const parse = (colour) => {
    const canvas = parse.canvas ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const lightness = ([r, g, b]) => {
    const part = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const ink = lightness(parse(getComputedStyle(element).color));
    const ground = lightness(groundOf(element));
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} "${texts.currentNode.data.trim().slice(0, 40)}" in ${element.className || element.tagName}`);
  }
  return [...new Set(faint)];
}

export const faintTexts = (page) => page.evaluate(findFaint);

// Roles of what can be focused and has no name, by the tree that a screen reader gets.
export async function nameless(page) {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  await client.detach();
  const wants = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'option', 'dialog', 'navigation', 'region', 'checkbox', 'image', 'article']);
  return nodes.filter((node) => !node.ignored && wants.has(node.role?.value) && !node.name?.value)
    .map((node) => node.role.value);
}

// The tasks of the page's main thread while `act` runs, by the processor time that they took, in
// milliseconds, longest first: what other programs take of the machine does not count.
export async function taskTimes(page, act) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'] } });
  await act();
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  const mains = new Set(events.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid}/${e.tid}`));
  return events.filter((e) => e.name === 'RunTask' && e.ph === 'X' && mains.has(`${e.pid}/${e.tid}`))
    .map((e) => (e.tdur ?? e.dur) / 1000).sort((a, b) => b - a);
}
