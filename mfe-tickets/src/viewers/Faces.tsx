// The faces of the colleagues who are in a ticket now; whoever writes has a pen.
import type { PresenceViewer } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, Menu, Tooltip } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { MessagesSquare, Pencil } from 'lucide-react'
import { view } from '../desk/view.ts'
import '../dialogs/texts.ts'
import { useTicket } from '../tickets/use-tickets.ts'
import { describeViewers, useViewers } from './use-viewers.ts'

/** In a list's row: small and silent, the row's own name says who they are. */
export function RowFaces({ people }: { readonly people: readonly PresenceViewer[] }) {
  const t = useTexts('tickets')
  if (people.length === 0) return null
  return (
    <Tooltip text={describeViewers(people, t)}>
      <span className="w-faces">
        <Stack people={people} size={18} most={3} />
      </span>
    </Tooltip>
  )
}

/** In the header: a button that says who they are and leads to a chat with one of them. */
export function HeaderFaces(props: { readonly ticketId: number; readonly most: number }) {
  return (
    <>
      <Followers {...props} />
      <Present {...props} />
    </>
  )
}

/** Who was asked in, and the way to ask somebody. */
function Followers({ ticketId, most }: { readonly ticketId: number; readonly most: number }) {
  const t = useTexts('tickets')
  const ticket = useTicket(ticketId)
  const followers = ticket?.followers ?? []
  if (followers.length === 0) return null
  const says = t('followers.are', { names: followers.map(({ name }) => name).join(', ') })
  const open = () => {
    view.dialog = { kind: 'followers', ticketId }
  }
  return (
    <Tooltip text={says}>
      <button type="button" className="w-faces is-button" onClick={open}>
        <span className="b-only-read">{says}</span>
        <Stack people={followers.map(person => ({ ...person, writing: false }))} size={26} most={most} />
      </button>
    </Tooltip>
  )
}

function Present({ ticketId, most }: { readonly ticketId: number; readonly most: number }) {
  const t = useTexts('tickets')
  const navigate = useNavigate()
  const people = useViewers(ticketId)
  if (people.length === 0) return null
  const says = describeViewers(people, t)

  async function talk(callingUserId: number) {
    const chat = await api('POST /chats', { body: { callingUserId } })
    await navigate(`/tickets/0/${chat.id}`)
  }

  return (
    <Menu
      label={t('viewers.here')}
      items={people.map(({ id, name }) => ({
        id: String(id),
        icon: MessagesSquare,
        label: t('viewers.talk', { name }),
        onChoose: () => void reportErrors(() => talk(id)),
      }))}
      button={({ ref, ...props }) => (
        <Tooltip text={says}>
          <button {...props} ref={ref} type="button" className="w-faces is-button">
            <span className="b-only-read">{says}</span>
            <Stack people={people} size={26} most={most} />
          </button>
        </Tooltip>
      )}
    />
  )
}

function Stack({ people, size, most }: { people: readonly PresenceViewer[]; size: number; most: number }) {
  // Whoever writes stands in front.
  const sorted = [...people].sort((a, b) => Number(b.writing) - Number(a.writing))
  const shown = sorted.slice(0, people.length > most ? most - 1 : most)
  return (
    <>
      {shown.map(({ id, name, profilePicUrl, writing }) => (
        <span key={id} className={writing ? 'w-face is-writing' : 'w-face'}>
          <Avatar id={id} name={name} photo={profilePicUrl} size={size} />
          {writing && <Pencil size={size < 24 ? 8 : 10} strokeWidth={2.4} aria-hidden="true" />}
        </span>
      ))}
      {people.length > shown.length && (
        <span className="w-face is-more" style={{ height: size, minWidth: size }} aria-hidden="true">
          +{people.length - shown.length}
        </span>
      )}
    </>
  )
}
