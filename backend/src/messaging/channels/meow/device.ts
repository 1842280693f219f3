// Our slot at the gateway: made under an id of our own, told where to post, paired and let go. What it answers is looked at before it is believed.
import { createHash } from 'node:crypto'
import { QrUnreadable, readQr } from '@balcao/formats/qr/read'
import { isRecord, toNumber, toText } from '../shared/json.ts'
import { type Gateway, GatewayError, GatewayProtocolError, readBounded } from './gateway.ts'
import { HEARD_EVENTS } from './inbound.ts'

const STATES = ['disconnected', 'connecting', 'connected', 'logged_in'] as const

/** `connected`: to WhatsApp, without a phone; `logged_in` is what the desk calls connected. */
export interface DeviceState {
  readonly state: (typeof STATES)[number]
  /** Of the account it is paired with; undefined while it is not. */
  readonly jid?: string
}

export interface GatewayQrCode {
  readonly qr: string
  /** In ms from now. */
  readonly lifeMs: number
}

const LARGEST_PICTURE = 512 * 1024
const [SHORTEST_S, USUAL_S, LONGEST_S] = [5, 30, 180]

/** Always the same for a connection, nobody else's, and nothing that tells the secret it is made of. */
export function deriveDeviceId(secret: string): string {
  return `balcao-${createHash('sha256').update(`device:${secret}`).digest('hex').slice(0, 20)}`
}

export class MeowDevice {
  constructor(
    private readonly gateway: Gateway,
    private readonly connectionId: number,
    private readonly secret: string,
  ) {}

  private get id(): string {
    return this.gateway.deviceId
  }

  /** Makes sure that the slot is there and posts to us, whatever the gateway forgot or somebody changed. */
  async ensure(): Promise<DeviceState> {
    const webhook = {
      webhook_url: this.gateway.webhookOf(this.connectionId),
      webhook_secret: this.secret,
      webhook_events: HEARD_EVENTS.join(','),
    }
    const known = await this.read()
    if (known) {
      await this.gateway.patch(['devices', this.id, 'webhook'], webhook)
      return known
    }
    return this.stateOf(await this.gateway.post(['devices'], { device_id: this.id, ...webhook }))
  }

  /** How it is; null when there is no such slot. */
  async read(): Promise<DeviceState | null> {
    try {
      return this.stateOf(await this.gateway.get(['devices', this.id]))
    } catch (error) {
      if (error instanceof GatewayError && error.status === 404) return null
      throw error
    }
  }

  /** Begins to pair anew: whatever attempt was running is dropped, and only its first code is given. */
  async showCode(): Promise<GatewayQrCode> {
    const answer = await this.gateway.get(['devices', this.id, 'login'])
    const link = isRecord(answer) ? toText(answer.qr_link) : undefined
    if (!link) throw new GatewayProtocolError('qr')
    const seconds = isRecord(answer) ? toNumber(answer.qr_duration) : Number.NaN
    const picture = await readBounded(new Response(await this.gateway.file(link)), LARGEST_PICTURE)
    const life = Number.isFinite(seconds) && seconds > 0 ? Math.min(LONGEST_S, Math.max(SHORTEST_S, seconds)) : USUAL_S
    return { qr: await readCode(picture), lifeMs: life * 1000 }
  }

  /** The eight characters to be typed on the phone with these digits. */
  async codeFor(phone: string): Promise<string> {
    const answer = await this.gateway.post(['devices', this.id, 'login', 'code'], undefined, { phone })
    const code = isRecord(answer) ? toText(answer.pair_code) : undefined
    if (!code || !/^[A-Za-z0-9]{4}-?[A-Za-z0-9]{4}$/.test(code)) throw new GatewayProtocolError('pair_code')
    return code
  }

  async reconnect(): Promise<void> {
    await this.gateway.post(['devices', this.id, 'reconnect'])
  }

  /** The slot stays. */
  async logout(): Promise<void> {
    await this.gateway.post(['devices', this.id, 'logout'])
  }

  /** With all that is kept of it. */
  async remove(): Promise<void> {
    await this.gateway.delete(['devices', this.id])
  }

  private stateOf(answer: unknown): DeviceState {
    if (!isRecord(answer) || answer.id !== this.id) throw new GatewayProtocolError('device')
    const state = STATES.find(one => one === answer.state)
    if (!state) throw new GatewayProtocolError('state')
    const jid = toText(answer.jid)
    return { state, ...(jid && { jid }) }
  }
}

/** The text of the code that the gateway shows as a picture. */
async function readCode(picture: Uint8Array): Promise<string> {
  try {
    return await readQr(picture)
  } catch (error) {
    throw error instanceof QrUnreadable ? new GatewayProtocolError('qr') : error
  }
}
