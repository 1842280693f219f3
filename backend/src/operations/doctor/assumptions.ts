// What could not be tried before there was a real WhatsApp to try it with (docs/decisions/0232): each is `ok` once this installation has
// seen it work, and until then it is said how to find out. What is assumed of a kind stands with the kind.
import { KINDS, type Kind } from '@balcao/contract'
import { getKindModule } from '../../messaging/channels/registry.ts'
import type { Assumed } from '../../messaging/channels/shared/kind-module.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { CheckContext, CheckFinding } from './checks.ts'

const PATIENCE_MS = 6000

export async function checkAssumptions(patient: CheckContext): Promise<readonly CheckFinding[]> {
  const found = await Promise.all(
    KINDS.map(kind => {
      const { assumed } = getKindModule(kind)
      return assumed ? lookAtKind(patient, kind, assumed) : []
    }),
  )
  return found.flat()
}

async function lookAtKind(patient: CheckContext, kind: Kind, assumed: Assumed): Promise<CheckFinding[]> {
  const { code, isReal, seenBy, socket } = assumed
  const isSeen = isReal(patient.config) && (await (seenBy === 'number' ? hadNumber : sentTemplate)(patient, kind))
  const itself: CheckFinding = { code, level: isSeen ? 'ok' : 'unknown', params: {} }
  return socket ? [await tried(patient, kind, { ...assumed, socket }, isSeen), itself] : [itself]
}

/** A connection that ever had a number was connected. */
async function hadNumber({ db }: CheckContext, kind: Kind): Promise<boolean> {
  const rows = await getSql(db)`select 1 from whatsapp where api = ${kind} and known_number is not null limit 1`
  return rows.length > 0
}

async function sentTemplate({ db }: CheckContext, kind: Kind): Promise<boolean> {
  const rows = await getSql(db)`
    select 1 from message m join whatsapp w on w.id = m.whatsapp_id and w.api = ${kind}
    where m.media_type = 'template' and m.from_me and m.state in ('delivered', 'read') limit 1`
  return rows.length > 0
}

/** Tried here and now where no connection proves it: the socket is opened, nothing is said, and it is closed. */
async function tried(
  { config, signal, db }: CheckContext,
  kind: Kind,
  { isReal, socket }: Assumed & { readonly socket: string },
  isSeen: boolean,
): Promise<CheckFinding> {
  const code = 'assumption.socket'
  if (isSeen) return { code, level: 'ok', params: {} }
  const [used] = await getSql(db)`select 1 from whatsapp where api = ${kind} and deleted_at is null limit 1`
  if (!isReal(config) || !used) return { code, level: 'unknown', params: {} }
  const opens = await opened(socket, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
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
