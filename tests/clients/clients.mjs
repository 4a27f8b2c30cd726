// The clients that the server is tried with: each a name, the revision that it must end up with, and
// a way to connect. A connection has `callTool`, and in `progress` what calls told of theirs. What
// differs between the generations of the SDK is hidden here.
//
// `at` is where the server is: what stdioServer() or httpServer() of servers.mjs give. `answer`, where it is
// given, is asked for what the server wants to know of the user: (message, schema) => {action, content}.

const INFO = { name: 'emend-tests', version: '1' };

const shown = (at) => ({ requestInit: at.token ? { headers: { Authorization: `Bearer ${at.token}` } } : {} });

async function transport1(module, at) {
    if (at.url) {
        const { StreamableHTTPClientTransport } = await import(`${module}/client/streamableHttp.js`);
        return new StreamableHTTPClientTransport(at.url, shown(at));
    }
    const { StdioClientTransport } = await import(`${module}/client/stdio.js`);
    return new StdioClientTransport(at);
}

// What comes over a transport is read on its way: clients forget progress that arrives together with the
// answer, and those of the 1.x line do not say which revision was agreed on.
function listenIn(transport) {
    const heard = { progress: [], agreed: undefined };
    let deliver;
    Object.defineProperty(transport, 'onmessage', {
        get: () => deliver,
        set: (handler) => {
            deliver = handler && ((message, ...rest) => {
                heard.agreed ??= message.result?.protocolVersion;
                if (message.method === 'notifications/progress') heard.progress.push(message.params.progress);
                return handler(message, ...rest);
            });
        },
    });
    return heard;
}

// The 1.x line.
async function open1(module, at, answer) {
    const { Client } = await import(`${module}/client/index.js`);
    const { CallToolResultSchema, ElicitRequestSchema } = await import(`${module}/types.js`);
    const transport = await transport1(module, at);
    const heard = listenIn(transport);
    const client = new Client(INFO, { capabilities: answer ? { elicitation: {} } : {} });
    if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message, params.requestedSchema));
    await client.connect(transport);
    return {
        agreed: heard.agreed,
        client,
        transport,
        callTool: (params, options) =>
            client.callTool(params, CallToolResultSchema, { onprogress: () => {}, ...options }),
        progress: heard.progress,
        pid: transport.pid ?? transport._process?.pid, // 1.9.0 does not tell
    };
}

async function open2(options, at, answer) {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const transport = at.url ? new StreamableHTTPClientTransport(at.url, shown(at)) : new StdioClientTransport(at);
    const heard = listenIn(transport);
    const client = new Client(INFO, { ...options, capabilities: answer ? { elicitation: {} } : {} });
    if (answer)
        client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message, params.requestedSchema));
    await client.connect(transport);
    return {
        agreed: client.getNegotiatedProtocolVersion(),
        client,
        transport,
        callTool: (params, more) => client.callTool(params, { onprogress: () => {}, ...more }),
        progress: heard.progress,
        pid: transport.pid,
    };
}

// `http` and `elicits`: does it know Streamable HTTP, and can it be asked?
const sdk = (version, module, agreed, knows) => ({
    name: `sdk ${version}`,
    agreed,
    modern: false,
    node: 18,
    ...knows,
    open: (at, answer) => open1(module, at, answer),
});

const client2 = (what, options, agreed) => ({
    name: `client 2.4.0 (${what})`,
    agreed,
    modern: agreed === '2026-07-28',
    node: 20,
    http: agreed >= '2025-03-26',
    elicits: agreed >= '2025-06-18',
    open: (at, answer) => open2(options, at, answer),
});

const only = (version) => ({ supportedProtocolVersions: [version] });
const mode = (value) => ({ versionNegotiation: { mode: value } });

export const CLIENTS = [
    sdk('1.9.0', 'sdk-1.9.0', '2024-11-05', { http: false, elicits: false }),
    sdk('1.12.3', 'sdk-1.12.3', '2025-03-26', { http: true, elicits: false }),
    sdk('1.13.0', 'sdk-1.13.0', '2025-06-18', { http: true, elicits: true }),
    sdk('1.32.2', '@modelcontextprotocol/sdk', '2025-11-25', { http: true, elicits: true }),
    client2('2024-11-05', only('2024-11-05'), '2024-11-05'),
    client2('2025-03-26', only('2025-03-26'), '2025-03-26'),
    client2('2025-06-18', only('2025-06-18'), '2025-06-18'),
    client2('legacy', mode('legacy'), '2025-11-25'),
    client2('auto', mode('auto'), '2026-07-28'),
    client2('pinned', mode({ pin: '2026-07-28' }), '2026-07-28'),
];
