import { defineConfig } from 'rolldown';
import client from '../cli/rolldown.config.mjs';

/** As the command line client is bundled: GitHub runs what is committed, and installs nothing. */
export default defineConfig({
  ...client,
  input: 'src/main.ts',
  output: { file: 'dist/index.js', format: 'esm', minify: true, codeSplitting: false },
});
