// The QR code as it must be shown. WhatsApp tells a device that pairs to renew its secret (`companion_reg_refresh`, Baileys #2737);
// the library neither renews nor answers, and keeps the old secret in every later code. So the newest code always counts.
import { randomBytes } from 'node:crypto'
import { type AuthenticationCreds, type BinaryNode, getBinaryNodeChild, type WASocket } from '@whiskeysockets/baileys'

export interface QrCode {
  readonly qr: string
  readonly qrExpiresAt: number
}

export class QrScreen {
  private last: { text: string; until: number } | null = null

  constructor(
    private readonly sock: WASocket,
    private readonly creds: AuthenticationCreds,
    private readonly lifeMs: number,
    private readonly publish: (code: QrCode) => void,
  ) {
    sock.ws.on('CB:notification,type:companion_reg_refresh', (notification: BinaryNode) => this.renew(notification))
  }

  show(text: string): void {
    this.last = { text, until: Date.now() + this.lifeMs }
    this.redraw()
  }

  private renew(notification: BinaryNode): void {
    if (this.creds.account) return
    if (!RENEWALS.some(tag => getBinaryNodeChild(notification, tag))) return
    const advSecretKey = randomBytes(32).toString('base64')
    this.creds.advSecretKey = advSecretKey
    this.sock.authState.creds.advSecretKey = advSecretKey
    this.sock.ev.emit('creds.update', { advSecretKey })
    this.redraw()
    const { id = '', from = '', type = '' } = notification.attrs
    // Where the line is gone, so is whoever asked; the next one asks anew.
    this.sock.sendNode({ tag: 'ack', attrs: { id, to: from, class: 'notification', type } }).catch(() => {})
  }

  private redraw(): void {
    if (this.last)
      this.publish({ qr: replaceQrSecret(this.last.text, this.creds.advSecretKey), qrExpiresAt: this.last.until })
  }
}

const RENEWALS = ['companion_reg_refresh', 'pair-device-rotate-qr']

/** The code with the current secret: the fourth of its comma-separated fields. */
export function replaceQrSecret(qr: string, secret: string): string {
  return qr
    .split(',')
    .map((field, index) => (index === 3 ? secret : field))
    .join(',')
}
