// What could not be tried before there was a real WhatsApp to try it with (docs/decisions/0232): each is `ok` once this installation has
// seen it work, and until then it is said how to find out.
import { sqlOf } from '../database/raw.ts'
import type { Found, Patient } from './looks.ts'

const PATIENCE_MS = 6000
const WEB = 'wss://web.whatsapp.com/ws/chat'

export async function lookAtAssumptions(patient: Patient): Promise<readonly Found[]> {
  const { config } = patient
  const seen = await seenBy(patient)
  // What was seen of a stand-in says nothing.
  const isRealWeb = config.whatsappWebUrl === null
  const isRealGraph = new URL(config.graph.url).hostname === 'graph.facebook.com'
  return [
    await socket(patient, isRealWeb && seen.paired > 0),
    said('assumption.pairing', isRealWeb && seen.paired > 0),
    said('assumption.browser', isRealWeb && seen.browsers > 0),
    said('assumption.official', isRealGraph && seen.templates > 0),
  ]
}

function said(code: Found['code'], isSeen: boolean): Found {
  return { code, level: isSeen ? 'ok' : 'unknown', params: {} }
}

interface Seen {
  readonly paired: number
  readonly browsers: number
  readonly templates: number
}

/** A connection that ever had a number was connected; that a template arrived was told by a signed webhook. */
async function seenBy({ db }: Patient): Promise<Seen> {
  const [row] = await sqlOf(db)<Seen[]>`
    select count(*) filter (where w.api = 'baileys' and w.known_number is not null)::int as paired,
      count(*) filter (where w.api = 'wwebjs' and w.known_number is not null)::int as browsers,
      (select count(*)::int from (select 1 from message m join whatsapp o on o.id = m.whatsapp_id and o.api = 'cloud_api'
        where m.media_type = 'template' and m.from_me and m.state in ('delivered', 'read') limit 1) found) as templates
    from whatsapp w`
  return row ?? { paired: 0, browsers: 0, templates: 0 }
}

/** Tried here and now where no connection proves it: the socket is opened, nothing is said, and it is closed. */
async function socket({ config, signal, db }: Patient, isSeen: boolean): Promise<Found> {
  const code = 'assumption.socket'
  if (isSeen) return { code, level: 'ok', params: {} }
  const [used] = await sqlOf(db)`select 1 from whatsapp where api = 'baileys' and deleted_at is null limit 1`
  if (config.whatsappWebUrl !== null || !used) return { code, level: 'unknown', params: {} }
  const opens = await opened(WEB, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
  return { code, level: opens ? 'ok' : 'danger', params: {} }
}

function opened(address: string, signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const line = new WebSocket(address)
    const done = (isOpen: boolean) => {
      resolve(isOpen)
      line.close()
    }
    line.addEventListener('open', () => done(true))
    line.addEventListener('error', () => done(false))
    line.addEventListener('close', () => resolve(false))
    signal.addEventListener('abort', () => done(false), { once: true })
  })
}
