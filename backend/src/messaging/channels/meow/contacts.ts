// The phone's contact book as the gateway knows it, told once a connection.
import { readAddress } from '../../../platform/channel/addresses.ts'
import type { ChannelEvent, DriverHost } from '../../../platform/channel/driver.ts'
import { isRecord, toRecords, toText } from '../shared/json.ts'
import type { Gateway } from './gateway.ts'
import { isNoConversation } from './inbound.ts'

const AT_ONCE = 100

export class MeowContacts {
  /** What was told: the same name is no news. */
  private readonly reported = new Map<string, string>()

  constructor(
    private readonly gateway: Gateway,
    private readonly host: DriverHost,
  ) {}

  tell(): void {
    this.run().catch(() => {
      this.host.log.warn({ connectionId: this.host.connectionId }, 'the contacts of a phone could not be read')
    })
  }

  private async run(): Promise<void> {
    const response = await this.gateway.get(['user', 'my', 'contacts'])
    const events = (isRecord(response) ? toRecords(response.data) : []).flatMap((one): ChannelEvent[] => {
      const [jid, name] = [toText(one.jid), toText(one.name)]
      if (!jid || !name || jid.endsWith('@g.us') || isNoConversation(jid) || this.reported.get(jid) === name) return []
      this.reported.set(jid, name)
      return [{ type: 'contact', peer: readAddress(jid), name, source: 'phone' }]
    })
    for (let at = 0; at < events.length; at += AT_ONCE) await this.host.emit(events.slice(at, at + AT_ONCE))
  }
}
