import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The part of Azure's blob store that an upload needs: blocks, and the list that makes them a blob (learn.microsoft.com,
 * "Put Block List"). Where the emulator is installed, test/loopback/github uploads to that too.
 */
export async function startBlobSink() {
  const blobs = new Map<string, Buffer>();
  const blocks = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://sink');
      const content = await buffer(request);
      const comp = url.searchParams.get('comp');
      if (comp === 'block') blocks.set(url.searchParams.get('blockid') ?? '', content);
      else if (comp === 'blocklist') {
        const ids = [...content.toString().matchAll(/<Latest>([^<]*)<\/Latest>/g)].map(([, id = '']) => id);
        blobs.set(url.pathname, Buffer.concat(ids.map((id) => blocks.get(id) ?? Buffer.alloc(0))));
      } else blobs.set(url.pathname, content);
      response.writeHead(201, { 'x-ms-request-id': '1', 'x-ms-version': '2021-12-02', etag: '"1"' }).end();
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    addressOf: (name: string) => `${url}/account/container/${encodeURIComponent(name)}?sig=secret`,
    /** The archive of an artifact that was uploaded. */
    archive: (name: string) => blobs.get(`/account/container/${encodeURIComponent(name)}`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
