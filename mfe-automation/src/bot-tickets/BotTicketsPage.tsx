import type { Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { addTexts, formatDateTime, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chip } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { type Column, DataPage, FilterButton, useRows } from '@balcao/ui/screens'
import { Bot, ExternalLink, Hand, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import pt from '../../locales/bot-tickets/pt.json'
import { LastWords } from './LastWords.tsx'
import { BOT_TICKETS } from './live-list.ts'
import { createMenuLookup, type MenuLookup } from './menus.ts'
import { CloseBots, TakeFromBot } from './TakeFromBot.tsx'

addTexts('bot-tickets', {
  pt,
  en: () => import('../../locales/bot-tickets/en.json'),
  es: () => import('../../locales/bot-tickets/es.json'),
})

type BotTicketQuestion = { readonly action: 'take' | 'close'; readonly ticket: Ticket }

/** The page of the tickets the bot has (spec 3 §2): taken over, closed, looked at; live. */
export default function BotTicketsPage() {
  const rows = useRows(BOT_TICKETS)
  const t = useTexts('bot-tickets')
  const [question, ask] = useState<BotTicketQuestion | null>(null)
  const known = useQuery('menu', signal =>
    Promise.all([api('GET /pergunta', { signal }), api('GET /queue', { signal }), api('GET /whatsapp', { signal })]),
  )
  const queues = known.last?.[1] ?? []
  const menuOf = useMemo(() => createMenuLookup(known.last), [known.last])
  const columns = useMemo(() => makeColumns(menuOf), [menuOf])
  const done = () => question && rows.drop(question.ticket.id)
  const close = () => ask(null)
  const many = rows.count ?? 0
  return (
    <>
      <DataPage
        texts="bot-tickets"
        icon={Bot}
        emptyAction={
          <Link to="/perguntas" className="b-button is-normal">
            {t('empty.questions')}
          </Link>
        }
        rows={rows}
        columns={columns}
        isWide
        chosen={question?.ticket.id ?? null}
        intro={rows.isAll && rows.status === 'ready' && (many > 0 ? t('intro', { count: many }) : t('introNone'))}
        nameOf={({ contact }) => contact.name}
        actions={[
          { id: 'take', icon: Hand, isWord: true, perform: ticket => ask({ action: 'take', ticket }) },
          { id: 'close', icon: X, isWord: true, isQuiet: true, perform: ticket => ask({ action: 'close', ticket }) },
          { id: 'view', icon: ExternalLink, isWord: true, isQuiet: true, perform: openTicketWindow },
        ]}
        cardOf={ticket => ({
          before: <Face of={ticket} size={44} />,
          title: ticket.contact.name,
          text: <LastWords of={ticket} questions={menuOf(ticket)} />,
          note: <Queue of={ticket} />,
        })}
        filters={
          queues.length > 0 && (
            <FilterButton
              label={t('filter.queue')}
              options={queues.map(({ id, name }) => ({ value: id, label: name }))}
              value={rows.filters.queueId}
              onChange={queueId => rows.filter({ queueId })}
            />
          )
        }
        foot={many > 0 && rows.isAll && <p className="mt-4 text-center text-small text-muted">{t('end')}</p>}
      />
      {question?.action === 'take' && (
        <TakeFromBot
          ticket={question.ticket}
          words={<LastWords of={question.ticket} questions={menuOf(question.ticket)} />}
          onDone={done}
          onClose={close}
        />
      )}
      {question?.action === 'close' && <CloseBots ticket={question.ticket} onDone={done} onClose={close} />}
    </>
  )
}

/** In a new window, as the specification says. */
function openTicketWindow({ id }: Ticket) {
  window.open(`/tickets/${id}`, '_blank', 'noopener')
}

function makeColumns(menuOf: MenuLookup): readonly Column<Ticket>[] {
  return [
    { id: 'id', width: 'w-24', cell: ({ id }) => <span className="font-normal text-text-2 tabular-nums">{id}</span> },
    {
      id: 'contact',
      cell: ticket => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Face of={ticket} size={28} />
          <bdi className="max-w-52 truncate font-semibold text-ink">{ticket.contact.name}</bdi>
        </span>
      ),
    },
    {
      id: 'lastMessage',
      cell: ticket => (
        <span className="block max-w-72">
          <LastWords of={ticket} questions={menuOf(ticket)} />
        </span>
      ),
    },
    { id: 'date', cell: ({ lastMessageAt }) => formatDateTime(lastMessageAt) },
    { id: 'queue', cell: ticket => ticket.queue && <Queue of={ticket} /> },
  ]
}

function Queue({ of: { queue } }: { readonly of: Ticket }) {
  return queue && <Chip color={queue.color}>{queue.name}</Chip>
}

function Face({ of: { contact }, size }: { readonly of: Ticket; readonly size: 28 | 44 }) {
  return <Avatar id={contact.id} name={contact.name} photo={contact.profilePicUrl} size={size} />
}
