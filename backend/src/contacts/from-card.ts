// The contact a card names (spec 1 §7: POST /contact): the one who has the number, or a new one.
import { type BodyOf, type Contact, digitsOf, phoneVariants } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { resolveContact } from './identity.ts'
import { contactEvents, loadContacts } from './present.ts'

/** Throws `ERR_VALIDATION` for what is no number, `ERR_NO_PERMISSION` for a new contact without the right to add one (spec 1 §5). */
export async function contactFromCard(
  parts: Parts,
  session: Session,
  { name, number, email }: BodyOf<'POST /contact'>,
): Promise<Contact> {
  const digits = digitsOf(number)
  if (digits.length < 8 || digits.length > 20)
    throw new AppError('ERR_VALIDATION', [{ path: 'number', message: 'Informe um número válido' }])
  const known = await contactWith(parts.db, digits)
  if (known) return known
  if (!session.mayContacts.add) throw new AppError('ERR_NO_PERMISSION')
  return change(parts, async tx => {
    const peer = { jid: `${digits}@s.whatsapp.net`, pn: digits, group: false }
    const { id } = await resolveContact(tx, peer, { name, source: 'manual' })
    if (email) await sqlOf(tx)`update contact set email = ${email}, version = version + 1 where id = ${id}`

    await writeLog(tx, { descricao: 'Contato criado', origem: 'contact', userId: session.viewer.id, contactId: id })
    await contactEvents(tx, [id])
    const [contact] = await loadContacts(tx, [id])
    if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
    return contact
  })
}

async function contactWith(db: Db | Tx, digits: string): Promise<Contact | undefined> {
  const [row] = await sqlOf(db)<{ id: number }[]>`
    select coalesce(c.merged_into, c.id) as id from contact_identity i join contact c on c.id = i.contact_id
    where i.kind = 'pn' and i.value = any(${phoneVariants(digits)}::text[]) limit 1`
  return row && (await loadContacts(db, [row.id]))[0]
}
