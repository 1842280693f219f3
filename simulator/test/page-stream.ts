// Reads the live stream of the phones page, as a browser would.
import type { Frame } from '../src/page/model.ts'

export interface PageStream {
  /** Resolves with the first frame, past or coming, that satisfies. */
  until(wanted: (frame: Frame) => boolean): Promise<Frame>
  close(): void
}

export async function openStream(url: string): Promise<PageStream> {
  const ending = new AbortController()
  const answer = await fetch(url, { signal: ending.signal })
  const frames: Frame[] = []
  const wakers = new Set<() => void>()
  void read(answer, frame => {
    frames.push(frame)
    for (const wake of wakers) wake()
  }).catch(() => undefined)
  return {
    async until(wanted) {
      for (;;) {
        const found = frames.find(wanted)
        if (found) return found
        await new Promise<void>(resolve => {
          const wake = () => {
            wakers.delete(wake)
            resolve()
          }
          wakers.add(wake)
        })
      }
    },
    close: () => ending.abort(),
  }
}

async function read(answer: Response, take: (frame: Frame) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of answer.body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) take(JSON.parse(part.slice(6)))
  }
}
