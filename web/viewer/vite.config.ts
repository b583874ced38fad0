// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vite';

export default defineConfig({
  base: './', // any folder of any host
  build: {
    outDir: process.env.SUPPLE_VIEWER_OUT || 'dist',
    emptyOutDir: true, // also where CMake's build folder lies outside this one
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: addresses to be fetched
    modulePreload: false,
    chunkSizeWarningLimit: 1200, // three.js
  },
});
