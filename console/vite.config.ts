import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite';

type Operation = { readonly security?: readonly Record<string, unknown>[] };

/** The routes that take the session cookie or nothing, as `METHOD /path`: all others want the access token. */
function routesWithoutToken(): readonly string[] {
  const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security === undefined || security.some((one) => 'cookie' in one))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

const COMPRESSED = /\.(js|css|svg|html)$/;

/** Writes each text file compressed too, so that the service compresses nothing. Vite changes chunks until they are written. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((each) => COMPRESSED.test(each))) {
      const path = join(dir, name);
      const text = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(text));
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
    }
  },
});

type Bundle = Readonly<Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>>;

/** The chunks of which a part of the console is made, by their file names. */
function chunksOf(part: string, bundle: Bundle): ReadonlyMap<string, Rolldown.OutputChunk> {
  const found = new Map<string, Rolldown.OutputChunk>();
  const add = (chunk: Bundle[string] | undefined): void => {
    if (chunk?.type !== 'chunk' || chunk.isEntry || found.has(chunk.fileName)) return;
    found.set(chunk.fileName, chunk);
    for (const name of chunk.imports) add(bundle[name]);
  };
  add(Object.values(bundle).find((one) => one.type === 'chunk' && one.name === part));
  return found;
}

/** Writes the manifest by which a phone or a desktop installs the console, with the icons that index.html names. */
const manifest = (): Plugin => ({
  name: 'manifest',
  apply: 'build',
  enforce: 'pre',
  generateBundle(_, bundle) {
    const icon = (ending: string, type: string, sizes: string) => ({
      src: `/${Object.keys(bundle).find((name) => name.endsWith(ending)) ?? ''}`,
      type,
      sizes,
    });
    const icons = [icon('.svg', 'image/svg+xml', 'any'), icon('.png', 'image/png', '180x180')];
    const about = { name: 'Pierhead', start_url: '/', display: 'standalone', background_color: '#0b5fcc', icons };
    this.emitFile({ type: 'asset', name: 'manifest.webmanifest', source: JSON.stringify(about) });
  },
});

/** Lets the browser load what the log-in page and the console share together with the small script that begins either, and paint nothing before that has chosen the colours. */
const loadedTogether = (): Plugin => ({
  name: 'loaded-together',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const ofConsole = chunksOf('app', bundle);
      const shared = [...chunksOf('before', bundle).values()].filter(({ fileName }) => ofConsole.has(fileName));
      const styles = new Set(shared.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
      const link = (attrs: Record<string, string | boolean>): HtmlTagDescriptor => ({
        tag: 'link',
        attrs,
        injectTo: 'head',
      });
      return {
        html: html.replace('<script type="module"', '<script type="module" blocking="render"'),
        tags: [
          link({
            rel: 'manifest',
            href: `/${Object.keys(bundle).find((name) => name.endsWith('.webmanifest')) ?? ''}`,
          }),
          ...shared.map(({ fileName }) => link({ rel: 'modulepreload', crossorigin: true, href: `/${fileName}` })),
          ...[...styles].map((name) => link({ rel: 'stylesheet', crossorigin: true, href: `/${name}` })),
        ],
      };
    },
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), manifest(), loadedTogether(), compressed()],
  define: { ROUTES_WITHOUT_TOKEN: JSON.stringify(routesWithoutToken()) },
  build: {
    target: 'es2023',
    // The content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
