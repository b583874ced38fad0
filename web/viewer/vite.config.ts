// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vite';

export default defineConfig({
  base: './', // works in any folder on any host
  build: {
    outDir: process.env.SUPPLE_VIEWER_OUT || 'dist',
    emptyOutDir: true, // also if CMake's build folder lies outside this one
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy forbids fetching data: URIs
    modulePreload: false,
    chunkSizeWarningLimit: 1200, // three.js
  },
});
