import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that loses every response: the caller only sees the connection end. */
export interface ResponseDropper extends AsyncDisposable {
  url: string;
  /** The server's responses in order. */
  lost: { status: number; text: string }[];
}

/** `onReply` is awaited between the server's complete response and the end of the caller's connection. */
export async function startResponseDropper(
  target: () => string,
  onReply: () => Promise<void>,
): Promise<ResponseDropper> {
  const lost: ResponseDropper['lost'] = [];
  const server = createServer((incoming) => {
    const { method, headers, url } = incoming;
    const passed = request(
      `${target()}${url}`,
      { method: method ?? 'GET', headers, agent: false },
      async (answered) => {
        let text = '';
        for await (const piece of answered.setEncoding('utf8')) text += piece;
        lost.push({ status: answered.statusCode ?? 0, text });
        await onReply();
        incoming.socket.destroy();
      },
    );
    passed.on('error', () => incoming.socket.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
