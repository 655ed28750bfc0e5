import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A bucket on this machine that speaks as much S3 as Pierhead needs. Refuses unsigned requests. */
export interface ObjectStore {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** Answers 503 from now on, or no longer. */
  fail(fails: boolean): void;
  close(): Promise<void>;
}

const BUCKET = 'packages';
const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>${body}`;

export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Map<number, Buffer>>();
  let isFailing = false;
  const handle = async (request: IncomingMessage): Promise<[number, string | Buffer]> => {
    const url = new URL(request.url ?? '', 'http://bucket');
    if (!(request.headers.authorization ?? '').startsWith('AWS4-HMAC-SHA256 Credential=access/')) return [403, ''];
    if (isFailing) return [503, ''];
    const key = decodeURIComponent(url.pathname.slice(`/${BUCKET}/`.length));
    const uploadId = url.searchParams.get('uploadId');
    switch (request.method) {
      case 'HEAD':
        return [(key === '' && url.pathname.startsWith(`/${BUCKET}`)) || objects.has(key) ? 200 : 404, ''];
      case 'PUT': {
        const body = await buffer(request);
        if (uploadId === null) objects.set(key, body);
        else parts.get(uploadId)?.set(Number(url.searchParams.get('partNumber')), body);
        return [200, ''];
      }
      case 'POST': {
        await buffer(request);
        if (uploadId === null) {
          parts.set(key, new Map());
          return [
            200,
            xml(`<InitiateMultipartUploadResult><UploadId>${key}</UploadId></InitiateMultipartUploadResult>`),
          ];
        }
        const sent = [...(parts.get(uploadId) ?? [])].toSorted(([one], [other]) => one - other);
        objects.set(key, Buffer.concat(sent.map(([, part]) => part)));
        return [200, xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`)];
      }
      case 'DELETE':
        objects.delete(key);
        return [204, ''];
      default: {
        const found = objects.get(key);
        if (found !== undefined) return [200, found];
        const folder = url.searchParams.get('prefix') ?? '';
        const listed = [...objects.keys()]
          .filter((name) => name.startsWith(folder))
          .map(
            (name) => `<Contents><Key>${name}</Key><LastModified>2020-01-01T00:00:00.000Z</LastModified></Contents>`,
          );
        return [200, xml(`<ListBucketResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListBucketResult>`)];
      }
    }
  };
  const server = createServer((request, response) => {
    void handle(request).then(([status, body]) => response.writeHead(status, { etag: '"1"' }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    fail: (fails) => {
      isFailing = fails;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a service is configured with to use it. */
export const objectStoreEnv = ({ url }: ObjectStore): Record<string, string> => ({
  S3_BUCKET: BUCKET,
  S3_ENDPOINT: url,
  S3_ACCESS_KEY_ID: 'access',
  S3_SECRET_ACCESS_KEY: 'secret',
});
