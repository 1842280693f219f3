// Who is in the group, as its connection tells; somebody of it can be written to alone.
import type { GroupInfo, GroupParticipant, Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { findByName } from '@balcao/contract/kit/name-match'
import { api, isApiError } from '@balcao/ui/api'
import { useBusy, useQuery } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import {
  Avatar,
  Chip,
  Drawer,
  EmptyState,
  ErrorState,
  IconButton,
  RowSkeletons,
  SearchInput,
  useNarrowerThan,
  useSkeleton,
} from '@balcao/ui/parts'
import { MessageSquarePlus, Unplug, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { writeTo } from '../contact/start-conversation.ts'
import { useTicketContext } from '../desk/use-ticket-context.ts'

interface ParticipantsDrawerProps {
  readonly ticket: Ticket
  readonly onClose: () => void
}

export function ParticipantsDrawer({ ticket, onClose }: ParticipantsDrawerProps) {
  const t = useTexts('tickets')
  const over = useNarrowerThan('wide')
  const id = ticket.contactId
  const { now: info, error, again } = useQuery(id, () => api('GET /contact/group/:id', { params: { id } }))
  const skeleton = useSkeleton(info === null && error === null)
  const down = isApiError(error, 'ERR_WAPP_NOT_INITIALIZED')
  return (
    <Drawer title={t('group.title')} width={320} over={over} onClose={onClose}>
      {error !== null && (
        <ErrorState
          title={t(down ? 'group.down' : 'group.failed')}
          text={down ? t('group.downText', { name: ticket.whatsapp.name }) : describeError(error)}
          icon={down ? Unplug : undefined}
          onRetry={again}
        />
      )}
      {skeleton && <RowSkeletons />}
      {info && error === null && <People info={info} ticket={ticket} />}
    </Drawer>
  )
}

function People({ info, ticket }: { readonly info: GroupInfo; readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const [search, setSearch] = useState('')
  const shown = findByName(info.participants, search, ({ name, number }) => `${name} ${number ?? ''}`)
  return (
    <>
      <div className="x-section">
        <h3 className="y-subject">{info.subject || ticket.contact.name}</h3>
        {info.desc && <p className="y-desc">{info.desc}</p>}
      </div>
      <div className="y-search">
        <SearchInput label={t('group.search')} value={search} onChange={setSearch} />
        <p className="m-quiet" aria-live="polite">
          {t('group.count', { count: info.participants.length })}
        </p>
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={UsersRound} title={t('group.noneTitle')} text={t('group.noneText')} />
      ) : (
        <ul className="y-people" aria-label={t('group.title')}>
          {shown.map(person => (
            <Person key={person.id} person={person} ticket={ticket} />
          ))}
        </ul>
      )}
    </>
  )
}

function Person({ person, ticket }: { readonly person: GroupParticipant; readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const context = useTicketContext(ticket)
  const [busy, during] = useBusy()
  const number = person.number ? formatPhone(person.number) : null
  const name = person.isMe
    ? t('group.us', { name: ticket.whatsapp.name })
    : person.name || number || t('group.nameless')
  // A group that hides numbers leaves nobody to write to, unless we know the person.
  const reachable = !person.isMe && (person.contactId !== null || person.number !== null)
  return (
    <li className="y-person">
      <Avatar id={person.contactId ?? hashAddress(person.id)} name={name} photo={person.profilePicUrl} size={38} />
      <span className="b-two-lines">
        <strong>{name}</strong>
        {number && number !== name && <small>{number}</small>}
      </span>
      {person.isAdmin && <Chip>{t('group.admin')}</Chip>}
      {reachable && (
        <IconButton
          icon={MessageSquarePlus}
          label={t('group.start', { name })}
          disabled={busy}
          onClick={() => during(() => writeTo(context, person))}
        />
      )}
    </li>
  )
}

/** A number made of an address, so that somebody keeps a colour. */
function hashAddress(address: string): number {
  return [...address].reduce((sum, character) => sum + character.charCodeAt(0), 0)
}
