// Messages whose key this device lacks: WhatsApp is asked to send them again, and usually does.
import { proto, type WAMessage } from '@whiskeysockets/baileys'

const MOST = 1000

export class Unreadable {
  private readonly waiting = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(private readonly patienceMs: number) {}

  /** Runs `giveUp` unless the message is solved in time; asked twice, the first time counts. */
  wait(name: string, giveUp: () => void): void {
    if (this.waiting.has(name) || this.waiting.size >= MOST) return
    const timer = setTimeout(() => {
      this.waiting.delete(name)
      giveUp()
    }, this.patienceMs)
    timer.unref()
    this.waiting.set(name, timer)
  }

  solved(name: string): void {
    clearTimeout(this.waiting.get(name))
    this.waiting.delete(name)
  }
}

/** Stands for the content nobody could read. */
export const UNREADABLE: proto.IMessage = { conversation: '…' }

export function isUnreadable(message: WAMessage): boolean {
  return message.messageStubType === proto.WebMessageInfo.StubType.CIPHERTEXT && !message.key.isViewOnce
}
