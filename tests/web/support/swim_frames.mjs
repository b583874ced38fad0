// SPDX-License-Identifier: Apache-2.0
// The stream of `supple view --swim` without a page (docs/server.md has its bytes).

/** Frames as they come: seconds of simulation, and which keys are held. Leaving the
 * loop closes the stream. */
export async function* swimFrames(url) {
  const gone = new AbortController();
  try {
    const { body } = await fetch(`${url}/api/swim/frames`, { signal: gone.signal });
    let text = '';
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const events = (text + piece).split('\n\n');
      text = events.pop();
      for (const event of events) {
        const [, data] = /^event: frame\ndata: (.*)$/m.exec(event) ?? [];
        if (!data) continue;
        const bytes = Buffer.from(data, 'base64');
        yield { time: bytes.readDoubleLE(48), held: [4, 5, 6].map((at) => bytes.readInt8(at)) };
      }
    }
  } finally {
    gone.abort();
  }
}
