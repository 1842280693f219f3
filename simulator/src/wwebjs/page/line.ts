/** The page's line to the world. */
import type { PageFrame, WorldFrame } from '../frames'

type FrameWithoutNumber<F> = F extends { readonly n: number } ? Omit<F, 'n'> : never

export class PageLine {
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, (value: unknown) => void>()
  private requests = 0

  constructor(address: string, heard: (frame: PageFrame) => void, opened: () => void, lost: () => void) {
    this.socket = new WebSocket(address)
    this.socket.onopen = opened
    this.socket.onclose = lost
    this.socket.onmessage = ({ data }) => {
      const frame: PageFrame = JSON.parse(String(data))
      if (frame.t !== 'answer') return heard(frame)
      this.waiting.get(frame.n)?.(frame.value)
      this.waiting.delete(frame.n)
    }
  }

  say(frame: WorldFrame): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame))
  }

  ask(frame: FrameWithoutNumber<WorldFrame>): Promise<unknown> {
    this.requests += 1
    const n = this.requests
    return new Promise(resolve => {
      this.waiting.set(n, resolve)
      this.say({ ...frame, n } as WorldFrame)
    })
  }
}
