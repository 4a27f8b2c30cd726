// The clients that the server is tried with: each a name, the revision that it must end up with, and
// a way to connect. A connection has `callTool`, and in `progress` what calls told of theirs. What
// differs between the generations of the SDK is hidden here.

const INFO = { name: 'emend-tests', version: '1' };

// The 1.x line. It does not say which revision was agreed on, so the handshake is read on its way;
// and it forgets progress that arrives together with the answer, so that is read there as well.
async function open1(module, server) {
    const { Client } = await import(`${module}/client/index.js`);
    const { StdioClientTransport } = await import(`${module}/client/stdio.js`);
    const { CallToolResultSchema } = await import(`${module}/types.js`);
    const transport = new StdioClientTransport(server);
    const progress = [];
    let deliver, agreed;
    Object.defineProperty(transport, 'onmessage', {
        get: () => deliver,
        set: (handler) => {
            deliver = (message, ...rest) => {
                agreed ??= message.result?.protocolVersion;
                if (message.method === 'notifications/progress') progress.push(message.params.progress);
                return handler(message, ...rest);
            };
        },
    });
    const client = new Client(INFO, { capabilities: {} });
    await client.connect(transport);
    return {
        agreed,
        client,
        callTool: (params) => client.callTool(params, CallToolResultSchema, { onprogress: () => {} }),
        progress,
        pid: transport.pid ?? transport._process.pid, // 1.9.0 does not tell
    };
}

async function open2(options, server) {
    const { Client } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const transport = new StdioClientTransport(server);
    const client = new Client(INFO, options);
    await client.connect(transport);
    const progress = [];
    return {
        agreed: client.getNegotiatedProtocolVersion(),
        client,
        callTool: (params) => client.callTool(params, { onprogress: (news) => progress.push(news.progress) }),
        progress,
        pid: transport.pid,
    };
}

const sdk = (version, module, agreed) => ({
    name: `sdk ${version}`,
    agreed,
    modern: false,
    node: 18,
    open: (server) => open1(module, server),
});

const client2 = (what, options, agreed) => ({
    name: `client 2.4.0 (${what})`,
    agreed,
    modern: agreed === '2026-07-28',
    node: 20,
    open: (server) => open2(options, server),
});

const only = (version) => ({ supportedProtocolVersions: [version] });
const mode = (value) => ({ versionNegotiation: { mode: value } });

export const CLIENTS = [
    sdk('1.9.0', 'sdk-1.9.0', '2024-11-05'),
    sdk('1.12.3', 'sdk-1.12.3', '2025-03-26'),
    sdk('1.13.0', 'sdk-1.13.0', '2025-06-18'),
    sdk('1.32.2', '@modelcontextprotocol/sdk', '2025-11-25'),
    client2('2024-11-05', only('2024-11-05'), '2024-11-05'),
    client2('2025-03-26', only('2025-03-26'), '2025-03-26'),
    client2('2025-06-18', only('2025-06-18'), '2025-06-18'),
    client2('legacy', mode('legacy'), '2025-11-25'),
    client2('auto', mode('auto'), '2026-07-28'),
    client2('pinned', mode({ pin: '2026-07-28' }), '2026-07-28'),
];
