// Gives every customer the desk knows a phone with the conversation as the desk has it, so that both sides of the demo tell the same.

import { openMedia } from '@balcao/backend/desk/media/store'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { type PastContent, type PastMessage, rememberAtGraph, rememberOnWhatsApp } from '@balcao/simulator/page/past'
import { CustomerPagePhone } from '@balcao/simulator/page/phones'
import type { Simulator } from '@balcao/simulator/world'

interface Row {
  readonly contact: string
  readonly number: string
  readonly connection: string
  readonly api: string
  readonly provider_id: string
  readonly from_me: boolean
  readonly at: string
  readonly body: string
  readonly media_type: string
  readonly read: boolean
  readonly media_id: string | null
}

/** The newest messages of all customers together; a demo that was used for weeks starts as fast as a new one. */
const MOST = 2000

export async function rememberHistory(simulator: Simulator, databaseUrl: string, dataDir: string): Promise<void> {
  const db = openDatabase(databaseUrl, { max: 1 })
  try {
    for (const row of await listKnownMessages(db)) {
      const phone = findPhone(simulator, row)
      const content = await toPastContent({ db, dataDir }, row)
      if (phone && content) await remember(simulator, phone, row, content)
    }
  } finally {
    await closeDatabase(db)
  }
}

/** What reached the other side, oldest first. */
async function listKnownMessages(db: Db): Promise<Row[]> {
  const rows = await db.$client<Row[]>`
    select c.name as contact, c.number, w.name as connection, w.api, m.provider_id, m.from_me, m.at, m.body, m.media_type, m.media_id,
      (m.state = 'read' or not m.from_me and m.read) as read
    from message m join contact c on c.id = m.contact_id join whatsapp w on w.id = m.whatsapp_id
    where not c.is_group and c.number <> '' and m.provider_id is not null and not m.is_deleted
      and m.state in ('received', 'sent', 'delivered', 'read') and m.media_type in ('chat', 'image', 'application', 'location')
    order by m.at desc, m.ticket_id desc, m.seq desc limit ${MOST}`
  return rows.reverse()
}

function findPhone(simulator: Simulator, { contact, number }: Row): CustomerPagePhone | undefined {
  const phone = simulator.find(number) ?? simulator.customer({ name: contact, number: formatPhone(number) })
  return phone instanceof CustomerPagePhone ? phone : undefined
}

async function remember(simulator: Simulator, phone: CustomerPagePhone, row: Row, content: PastContent): Promise<void> {
  const past: PastMessage = {
    id: row.provider_id,
    at: new Date(row.at),
    by: row.from_me ? 'company' : 'customer',
    read: row.read,
    content,
  }
  const { business } = simulator.cloud ?? {}
  if (row.api === 'cloud_api') {
    if (!business) return
    rememberAtGraph(business, phone.cloud, past)
    phone.open = `cloud-${business.phoneNumberId}`
    return
  }
  const company = simulator.companies.find(one => one.label === row.connection)
  if (!company) return
  await rememberOnWhatsApp(simulator.whatsapp, { customer: phone.whatsapp, company: company.whatsapp }, past)
  phone.open = `wa-${company.whatsapp.user}`
}

async function toPastContent(place: { db: Db; dataDir: string }, row: Row): Promise<PastContent | null> {
  if (row.media_type === 'chat') return { type: 'text', text: row.body }
  if (row.media_type === 'location') {
    const [, latitude, longitude, name = ''] = /q=(-?[\d.]+),(-?[\d.]+)\|(.*)$/s.exec(row.body) ?? []
    return { type: 'location', latitude: Number(latitude), longitude: Number(longitude), name }
  }
  const file = row.media_id ? await openMedia(place, row.media_id) : null
  if (!file) return null
  const bytes = new Uint8Array(await Bun.file(file.path).arrayBuffer())
  const type = row.media_type === 'image' ? 'image' : 'document'
  return { type, bytes, mime: file.mime, name: file.name, caption: row.body }
}
