// SPDX-License-Identifier: Apache-2.0
// Runs Khronos' validator over files: validate-gltf.mjs [--baseline ORIGINAL] FILE... Exits
// non-zero on any error or warning; with a baseline, only on those that the original does not have.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import validator from 'gltf-validator';

const kError = 0;
const kWarning = 1;

async function complaints(path) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(path)), {
    uri: path,
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(join(dirname(path), decodeURIComponent(uri)))),
  });
  return report.issues.messages
    .filter((issue) => issue.severity === kError || issue.severity === kWarning)
    .map((issue) => ({
      kind: `${issue.severity === kError ? 'error' : 'warning'} ${issue.code}`,
      text: `${issue.pointer ?? ''} ${issue.message}`,
    }));
}

const files = process.argv.slice(2);
let accepted = new Set();
if (files[0] === '--baseline') {
  accepted = new Set((await complaints(files[1])).map((issue) => issue.kind));
  files.splice(0, 2);
}
if (files.length === 0) {
  console.error('usage: validate-gltf.mjs [--baseline ORIGINAL] FILE...');
  process.exit(2);
}
for (const file of files) {
  const found = (await complaints(file)).filter((issue) => !accepted.has(issue.kind));
  for (const issue of found.slice(0, 20)) console.error(`${file}: ${issue.kind}: ${issue.text}`);
  console.log(`${file}: ${found.length === 0 ? 'valid' : `${found.length} complaints`}`);
  if (found.length > 0) process.exitCode = 1;
}
