// Previews of links: from what was known today, else asked for; told as an update of the message.
import type { LinkPreview } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { hashToken } from '../../platform/seal.ts'
import { type JobKind, readNumber } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { publishMessageEvents } from '../messages/present.ts'
import { findPreviewAddress, toPreviewUrl } from './address.ts'
import { fetchPreview, type PreviewNetwork } from './fetch-preview.ts'
import { PREVIEW_LINK } from './request.ts'

const MOST_PER_HOST_AND_MINUTE = 20

export function linkPreviewJobs(parts: Parts): JobKind[] {
  const work: JobKind['work'] = payload => previewLink(parts, readNumber(payload, 'messageId'))
  return [{ kind: PREVIEW_LINK, crew: 'flow', work }]
}

/** One whose turn comes late gets none: nobody waits for it any more. */
export async function previewLink(parts: Parts, id: number, network?: PreviewNetwork): Promise<void> {
  if (!(await readSettings(parts.db)).linkPreviews) return
  const [row] = await getSql(parts.db)<{ body: string }[]>`
    select body from message where id = ${id} and not is_deleted and media_type = 'chat' and details->'link' is null
      and created_at > now() - interval '10 minutes'`
  const address = row ? findPreviewAddress(row.body) : null
  if (address === null) return
  const preview = await loadPreview(parts, address, network)
  if (preview) await storePreview(parts, id, { address, ...preview })
}

async function loadPreview({ db }: Parts, address: string, network: PreviewNetwork | undefined) {
  const sql = getSql(db)
  const url = toPreviewUrl(address)
  const { host } = new URL(url)
  const digest = hashToken(url)
  const [cached] = await sql<{ preview: Omit<LinkPreview, 'address'> | null }[]>`
    select preview from link_preview where digest = ${digest} and fetched_at > now() - interval '1 day'`
  if (cached) return cached.preview
  const [recent] = await sql<{ count: number }[]>`
    select count(*)::int as count from link_preview where host = ${host} and fetched_at > now() - interval '1 minute'`
  if ((recent?.count ?? 0) >= MOST_PER_HOST_AND_MINUTE) return null
  const preview = await fetchPreview(address, network)
  await sql`
    insert into link_preview (digest, host, preview) values (${digest}, ${host}, ${preview && toJsonbText(preview)}::text::jsonb)
    on conflict (digest) do update set preview = excluded.preview, fetched_at = now()`
  return preview
}

/** Unless the message was taken back, changed or erased meanwhile. */
async function storePreview(parts: Parts, id: number, link: LinkPreview): Promise<void> {
  await change(parts, async tx => {
    const changed = await getSql(tx)`
      update message set details = coalesce(details, '{}') || ${toJsonbText({ link })}::text::jsonb, version = version + 1
      where id = ${id} and not is_deleted and position(${link.address} in body) > 0 and details->'link' is null`
    if (changed.count > 0) await publishMessageEvents(tx, [id], 'update')
  })
}
