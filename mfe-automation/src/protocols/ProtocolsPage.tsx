import type { Protocol } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { LIMITS } from '@balcao/contract/kit/limits'
import { addTexts, formatMoment, getTexts, useTexts } from '@balcao/ui/i18n'
import { Avatar } from '@balcao/ui/parts'
import { Link, useNavigate } from '@balcao/ui/router'
import { type Column, DataPage, Marked, useRows } from '@balcao/ui/screens'
import { MessageSquareText, Pencil, ReceiptText } from 'lucide-react'
import { useMemo, useState } from 'react'
import pt from '../../locales/protocols/pt.json'
import { PROTOCOLS } from './list.ts'
import { ProtocolForm } from './ProtocolForm.tsx'

addTexts('protocols', {
  pt,
  en: () => import('../../locales/protocols/en.json'),
  es: () => import('../../locales/protocols/es.json'),
})

/** The page of protocols (spec 3 §2): search, details, the way to their tickets; live. Nobody adds or deletes one here. */
export default function ProtocolsPage() {
  const t = useTexts('protocols')
  const rows = useRows(PROTOCOLS)
  const navigate = useNavigate()
  const [edited, edit] = useState<Protocol | null>(null)
  const { search } = rows.query
  const columns = useMemo(() => makeColumns(search), [search])
  return (
    <>
      <DataPage
        texts="protocols"
        icon={ReceiptText}
        emptyAction={
          <Link to="/tickets" className="b-button is-primary">
            {t('empty.tickets')}
          </Link>
        }
        rows={rows}
        columns={columns}
        isWide
        chosen={edited?.id ?? null}
        nameOf={({ protocolo }) => protocolo}
        actions={[
          { id: 'open', icon: MessageSquareText, perform: ({ ticketId }) => void navigate(`/tickets/${ticketId}`) },
          { id: 'edit', icon: Pencil, perform: edit },
        ]}
        cardOf={protocol => ({
          before: <Face of={protocol} size={44} />,
          title: protocol.contact.name,
          // Its number begins with the day.
          text: protocol.protocolo,
          note: protocol.mensagem,
        })}
      />
      {edited && <ProtocolForm row={edited} rows={rows} onClose={() => edit(null)} />}
    </>
  )
}

function makeColumns(search: string): readonly Column<Protocol>[] {
  const found = [...search].length < LIMITS.searchMinimum ? [] : [search]
  return [
    {
      id: 'name',
      cell: protocol => (
        <span className="flex items-center gap-3">
          <Face of={protocol} size={28} />
          <bdi className="max-w-52 truncate max-lg:max-w-32">
            <Marked text={protocol.contact.name} words={found} />
          </bdi>
        </span>
      ),
    },
    { id: 'number', cell: ({ contact }) => contact.number && formatPhone(contact.number) },
    { id: 'protocol', cell: ({ protocolo }) => <Marked text={protocolo} words={found} /> },
    {
      id: 'ticket',
      cell: ({ ticketId }) => (
        <Link to={`/tickets/${ticketId}`} className="text-primary-text">
          {getTexts('protocols')('ticket', { id: ticketId })}
        </Link>
      ),
    },
    { id: 'date', cell: formatCreatedAt },
    {
      id: 'details',
      // What room the others leave: wider, it would stand under what can be done.
      width: 'w-full',
      cell: ({ mensagem }) =>
        mensagem && (
          <bdi className="block min-w-28 truncate contain-inline-size" title={mensagem}>
            <Marked text={mensagem} words={found} />
          </bdi>
        ),
    },
  ]
}

function Face({ of: { contact }, size }: { readonly of: Protocol; readonly size: number }) {
  return <Avatar id={contact.id} name={contact.name} photo={contact.profilePicUrl} size={size} />
}

function formatCreatedAt({ createdAt }: Protocol): string {
  return formatMoment(createdAt)
}
