// The kind `cloud_api`: Meta's official API. Stateless: a token, calls, and signed webhooks.

import { getCapabilities } from '@balcao/contract'
import {
  ChannelError,
  type Driver,
  type DriverConnection,
  type DriverHost,
  type MediaHandle,
  type Outgoing,
  type SendResult,
  type Template,
  type WebhookAnswer,
  type WebhookRequest,
} from '../../../platform/channel/driver.ts'
import { isRecord, toNumber, toRecords, toText } from '../shared/json.ts'
import type { KindModule } from '../shared/kind-module.ts'
import { choosePause, LINK_PAUSES, LinkMachine, type LinkStatus } from '../shared/link-machine.ts'
import { toFailure } from '../shared/own-failures.ts'
import type { TroubleReport } from '../shared/trouble.ts'
import { verifyFileStream } from '../shared/verify-file.ts'
import { isPairLimit, isTokenRefused, toSendFailure } from './errors.ts'
import { Graph, GraphError, GraphUnreachable } from './graph.ts'
import { rereadMessage } from './inbound.ts'
import { buildMessageBody, uploadFile } from './outgoing.ts'
import { fetchApprovedTemplates } from './templates.ts'
import { answerChallenge, receiveNotification } from './webhook.ts'

export const CLOUD_API: KindModule = {
  createDriver: createCloudApiDriver,
  addressOf: ({ pn, bsuid }) => pn ?? bsuid ?? null,
  challenge: (query, { graph }) => answerChallenge(query, graph.verifyToken),
  reread: rereadMessage,
  host: ({ graph }) => graph.url,
  assumed: {
    code: 'assumption.official',
    isReal: ({ graph }) => new URL(graph.url).hostname === 'graph.facebook.com',
    seenBy: 'template',
  },
}

export interface CloudApiTimes {
  readonly callMs: number
  readonly backoffMs: readonly number[]
  /** Meta repeats a notification that was not taken within seconds at first, so a desk that was away hears it in this time. */
  readonly traceMs: number
}

const TIMES: CloudApiTimes = {
  callMs: 30_000,
  backoffMs: LINK_PAUSES.backoffMs,
  traceMs: 120_000,
}

/** A driver for one business number. */
export function createCloudApiDriver(
  connection: DriverConnection,
  host: DriverHost,
  times: Partial<CloudApiTimes> = {},
): Driver {
  return new CloudApiDriver(connection, host, { ...TIMES, ...times })
}

class CloudApiDriver implements Driver {
  readonly kind = 'cloud_api'
  readonly capabilities = getCapabilities(this.kind)
  private readonly graph: Graph | null
  readonly phoneNumberId: string
  readonly wabaId: string
  private readonly machine = new LinkMachine({
    connect: turn => this.verify(turn),
    disconnect: () => {},
    tell: status => this.tell(status),
    failed: error => this.notTold(error),
  })
  private readonly pairRefusals = new Map<string, number>()

  constructor(
    private readonly connection: DriverConnection,
    private readonly host: DriverHost,
    private readonly times: CloudApiTimes,
  ) {
    const token = toText(connection.config.tokenMeta)
    this.graph = token ? new Graph(host.config.graph, token, times.callMs) : null
    this.phoneNumberId = toText(connection.config.phoneNumberId) ?? ''
    this.wabaId = toText(connection.config.wabaId) ?? ''
  }

  async start(): Promise<void> {
    await this.machine.restart(() => this.tell({ status: 'OPENING' }))
  }

  async stop(): Promise<void> {
    this.machine.leave()
    await this.tell({ status: 'DISCONNECTED', trouble: null })
  }

  /** There is nothing to unlink: the token is the account's, and is removed by whoever gave it. */
  async logout(): Promise<void> {
    this.machine.leave()
    await this.machine.down('LOGGEDOUT', { reason: 'logged_out', next: 'new_token', code: '0' })
  }

  async pair(by: { readonly qr: true } | { readonly phone: string }): Promise<{ readonly code?: string }> {
    if ('phone' in by) throw new ChannelError('not_supported', 'The official API is connected by its token')
    await this.start()
    return {}
  }

  get traceMs(): number {
    return this.times.traceMs
  }

  async send(to: string, _id: string | null, message: Outgoing, trace?: string | null): Promise<SendResult> {
    const { graph } = this
    if (!graph) return { ok: false, outcome: 'refused', code: 'no_token', text: 'This connection has no token' }
    if (message.type === 'read') return this.read(graph, message)
    try {
      const body = await buildMessageBody(to, message, file => uploadFile(graph, this.phoneNumberId, this.host, file))
      return await this.post(graph, to, trace ? { ...body, biz_opaque_callback_data: trace } : body)
    } catch (error) {
      return error instanceof ChannelError ? toFailure(error) : this.failed(error, to, true)
    }
  }

  private async post(graph: Graph, to: string, body: Record<string, unknown>): Promise<SendResult> {
    try {
      const answer = await graph.post([this.phoneNumberId, 'messages'], body)
      this.pairRefusals.delete(to)
      const id = toText(toRecords(answer.messages)[0]?.id)
      if (!id) return { ok: false, outcome: 'unknown', code: 'no_id', text: 'Meta took the message but gave it no id' }
      const [contact] = toRecords(answer.contacts)
      const jid = toText(contact?.wa_id) ?? toText(contact?.user_id)
      return { ok: true, id, ack: 'sent', raw: { request: body, answer }, ...(jid && { jid }) }
    } catch (error) {
      return this.failed(error, to, false)
    }
  }

  /** `before`: it failed while the file was uploaded, so no message can have gone out. */
  private failed(error: unknown, to: string, before: boolean): SendResult {
    if (isPairLimit(error)) this.pairRefusals.set(to, (this.pairRefusals.get(to) ?? 0) + 1)
    this.noteRefusal(error)
    const failure = toSendFailure(error, this.pairRefusals.get(to) ?? 0)
    return before && failure.outcome === 'unknown' ? { ...failure, outcome: 'retry', afterMs: 5000 } : failure
  }

  /** Marking the newest of a chat marks everything before it; who wrote from two addresses has two. One that is refused holds up no other. */
  private async read(graph: Graph, { refs }: Extract<Outgoing, { type: 'read' }>): Promise<SendResult> {
    const chats = Map.groupBy(
      refs.filter(({ fromMe }) => !fromMe),
      ({ chat }) => chat,
    )
    let [marked, refusal]: [number, SendResult | null] = [0, null]
    for (const [chat, messages] of chats) {
      try {
        const body = { messaging_product: 'whatsapp', status: 'read', message_id: messages.at(-1)?.id }
        await graph.post([this.phoneNumberId, 'messages'], body)
        marked += 1
      } catch (error) {
        const failure = this.failed(error, chat, true)
        if (!failure.ok && failure.outcome === 'retry') return failure
        refusal ??= failure
      }
    }
    return refusal && marked === 0 ? refusal : { ok: true, id: '', ack: 'sent' }
  }

  async download(media: MediaHandle): Promise<ReadableStream<Uint8Array>> {
    const { handle } = media
    const id = isRecord(handle) ? toText(handle.id) : undefined
    if (!id) throw new ChannelError('gone', 'This message has no file')
    if (!this.graph) throw new ChannelError('no_token', 'This connection has no token')
    try {
      const file = await this.graph.get([id])
      const url = toText(file.url)
      const body = url ? await this.graph.fetch(url) : null
      const size = toNumber(file.file_size)
      const sha256 = toText(file.sha256) ?? (isRecord(handle) ? toText(handle.sha256) : undefined)
      if (body) return verifyFileStream(body, { ...(size >= 0 && { size }), sha256 })
    } catch (error) {
      this.noteRefusal(error)
      if (!(error instanceof GraphError)) throw new ChannelError('network', 'Meta cannot be reached')
      if (error.status >= 500) throw new ChannelError(String(error.status), error.title)
    }
    throw new ChannelError('no_file', 'Meta does not have this file any more')
  }

  async check(): Promise<never> {
    throw new ChannelError('not_supported', 'The official API does not tell who has WhatsApp')
  }

  async group(): Promise<null> {
    return null
  }

  async templates(): Promise<readonly Template[]> {
    if (!this.graph) throw new ChannelError('no_token', 'This connection has no token')
    try {
      return await fetchApprovedTemplates(this.graph, this.wabaId)
    } catch (error) {
      this.noteRefusal(error)
      if (error instanceof GraphError) throw new ChannelError(String(error.code), error.title)
      throw new ChannelError('network', 'Meta cannot be reached')
    }
  }

  handleWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
    return receiveNotification(this.host, this, request)
  }

  /** Asks for the number itself: that proves token and number at once. */
  private async verify(turn: number): Promise<void> {
    const { phoneNumberId, wabaId } = this
    const { unreadable } = this.connection
    if (this.graph && !phoneNumberId) return this.down({ reason: 'number_missing', next: 'none', code: 'no_number' })
    if (!this.graph) {
      const reason = unreadable ? 'token_unreadable' : 'token_refused'
      return this.down({ reason, next: 'new_token', code: unreadable ? reason : 'no_token' })
    }
    try {
      const number = await this.graph.get([phoneNumberId], {
        fields: 'display_phone_number,verified_name,quality_rating',
      })
      if (turn !== this.machine.turn) return
      if (wabaId) await this.graph.post([wabaId, 'subscribed_apps'], {}).catch(() => {})
      const pn = (toText(number.display_phone_number) ?? '').replace(/\D/g, '')
      const me = { jid: pn || phoneNumberId, ...(pn && { pn }), group: false }
      await this.machine.opened(turn, { me })
    } catch (error) {
      await this.notVerified(turn, error)
    }
  }

  private async notVerified(turn: number, error: unknown): Promise<void> {
    if (turn !== this.machine.turn) return
    if (isTokenRefused(error)) return this.tokenRefused(error)
    const isOver = !(error instanceof GraphUnreachable) && toSendFailure(error, 0).outcome === 'refused'
    const code = error instanceof GraphError ? String(error.code) : 'unreachable'
    const reason = error instanceof GraphUnreachable ? 'network' : 'server'
    await this.machine.lost(turn, code, ({ attempt }) =>
      isOver
        ? { status: 'DISCONNECTED', code, reason: 'other', next: 'ask_support', afterMs: null }
        : { status: 'DISCONNECTED', code, reason, next: 'retry', afterMs: choosePause(this.times.backoffMs, attempt) },
    )
  }

  /** The answer to whoever asked does not wait until the card says it. */
  private noteRefusal(error: unknown): void {
    if (isTokenRefused(error)) this.tokenRefused(error).catch(this.notTold)
  }

  private async tokenRefused(error: unknown): Promise<void> {
    this.machine.leave()
    const code = error instanceof GraphError && error.code ? String(error.code) : '190'
    await this.down({ reason: 'token_refused', next: 'new_token', code })
  }

  private down(report: TroubleReport): Promise<void> {
    return this.machine.down('DISCONNECTED', report)
  }

  private async tell(status: LinkStatus): Promise<void> {
    await this.host.emit([{ type: 'status', ...status }]).catch(this.notTold)
  }

  private readonly notTold = (error: unknown): void => {
    this.host.log.warn({ err: error, connectionId: this.connection.id }, 'a status could not be stored')
  }
}
