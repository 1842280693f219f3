/** The page's line to the world. */
import type { ToPage, ToWorld } from '../frames'

type Unanswered<F> = F extends { readonly n: number } ? Omit<F, 'n'> : never

export class Line {
  private readonly socket: WebSocket
  private readonly waiting = new Map<number, (value: unknown) => void>()
  private asked = 0

  constructor(address: string, heard: (frame: ToPage) => void, opened: () => void, lost: () => void) {
    this.socket = new WebSocket(address)
    this.socket.onopen = opened
    this.socket.onclose = lost
    this.socket.onmessage = ({ data }) => {
      const frame: ToPage = JSON.parse(String(data))
      if (frame.t !== 'answer') return heard(frame)
      this.waiting.get(frame.n)?.(frame.value)
      this.waiting.delete(frame.n)
    }
  }

  say(frame: ToWorld): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame))
  }

  ask(frame: Unanswered<ToWorld>): Promise<unknown> {
    this.asked += 1
    const n = this.asked
    return new Promise(resolve => {
      this.waiting.set(n, resolve)
      this.say({ ...frame, n } as ToWorld)
    })
  }
}
