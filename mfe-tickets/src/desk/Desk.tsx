// The desk: list left, conversation right, contact drawer beside or over it; on narrow screens one of the two.
import { addTexts, useTexts } from '@balcao/ui/i18n'
import { Boundary, defineLatePart, TilePattern, useFetchedAhead, useNarrowerThan } from '@balcao/ui/parts'
import { useParams } from '@balcao/ui/router'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useSnapshot } from 'valtio'
import pt from '../../locales/pt.json'
import { toChatLane } from '../chats/lane.ts'
import { useHeldOpening } from '../composer/coming.ts'
import { findDrafts } from '../composer/drafts.ts'
import { ListPane } from '../list/ListPane.tsx'
import { EmptyList } from '../list/TicketList.tsx'
import { Card } from '../message/late-card.ts'
import { AskedForMine } from '../new-ticket/AskedForMine.tsx'
import { NewTicketDialog, OtherTicketDialog, WayIn } from '../new-ticket/WayIn.tsx'
import { ScheduleDialog } from '../schedule/late.ts'
import { server } from '../server.ts'
import { useTicket } from '../tickets/use-tickets.ts'
import { useListWidth } from './list-width.ts'
import { keepLookups } from './lookups.ts'
import { getStores } from './stores.ts'
import { useFocusKept } from './use-focus-kept.ts'
import { useOnceOpen } from './use-once-open.ts'
import { useOpened } from './use-opened.ts'
import { usePanel } from './use-panel.ts'
import { useOpenTicket } from './use-ticket-context.ts'
import { view } from './view.ts'

addTexts('tickets', { pt, en: () => import('../../locales/en.json'), es: () => import('../../locales/es.json') })

/** Not needed to see the list: it comes right after it, before anybody can have opened a conversation. */
const Conversation = defineLatePart(
  async () => ({
    default: (await import(/* webpackChunkName: "conversation" */ '../conversation/Conversation.tsx')).Conversation,
  }),
  'inline',
  ConversationRoom,
)
const ChatScreen = defineLatePart(() => import('../chats/ChatScreen.tsx'), 'inline', ConversationRoom)
const ListKeys = defineLatePart(() => import('../list/ListKeys.tsx'), 'nowhere')
const Welcome = defineLatePart(() => import('./Welcome.tsx'), 'nowhere')
const Splitter = defineLatePart(() => import('./Splitter.tsx'), 'nowhere', SplitterRoom)
const SidePanel = defineLatePart(() => import('./SidePanel.tsx'), 'inline')
const Dialogs = defineLatePart(() => import('../dialogs/Dialogs.tsx'))
const FindInTicket = defineLatePart(() => import('../search/FindInTicket.tsx'))
const Viewer = defineLatePart(() => import('../message/Viewer.tsx'))
/** What a key opens, or stands where a list or a conversation was: it is there before somebody presses that key. */
const SOON = [Welcome, EmptyList, Card, NewTicketDialog, Dialogs, FindInTicket, OtherTicketDialog, ScheduleDialog]

export default function Desk() {
  const params = useParams()
  const requestedId = Number(params.ticketId)
  const ticketId = Number.isSafeInteger(requestedId) && requestedId > 0 ? requestedId : null
  const askedChat = Number(params.chatId)
  const chatId = ticketId === null && Number.isSafeInteger(askedChat) && askedChat > 0 ? askedChat : null
  const oneColumn = useNarrowerThan('narrow')
  const { drawer, dialog, scheduling, viewer, find } = useSnapshot(view)
  const open = useOpenTicket()
  const known = useTicket(ticketId ?? 0)
  const ticket = ticketId === null ? undefined : known
  useOpened(ticketId, ticket !== undefined, {
    fetch: id => getStores().tickets.fetch(() => server.ticket(id)),
    leave: () => open(null),
    refused: 'noPermission',
    gone: { ERR_NO_PERMISSION: 'outOfSight', ERR_NO_TICKET_FOUND: 'ticketDeleted' },
  })
  const width = useListWidth()
  const panel = usePanel(drawer, ticket)

  useEffect(() => {
    const { shown, tickets } = getStores()
    shown.ticketId = ticketId
    tickets.lookAt(ticketId)
    return () => {
      shown.ticketId = null
    }
  }, [ticketId])
  useEffect(keepLookups, [])
  // Before a composer that opens with it takes its own draft up.
  useLayoutEffect(findDrafts, [])
  useEffect(() => {
    // What fails here is asked for again, and told, when it is needed.
    Conversation.fetch().catch(() => undefined)
  }, [])
  useFetchedAhead(SOON)
  useHeldOpening(chatId === null ? ticketId : toChatLane(chatId), ticket !== undefined && ticket.status !== 'open')
  useFocusKept(ticketId, ticket?.status)
  useOnceOpen(ticketId)

  const nothing = ticketId === null && chatId === null
  const showList = !oneColumn || nothing
  const showTicket = !oneColumn || !nothing
  return (
    <div className="d-desk" style={{ '--d-list': `${width.value}px` } as React.CSSProperties}>
      {showList && (
        <Boundary>
          <ListPane ticketId={ticketId} chatId={chatId} internal={params.ticketId === '0'} onOpen={open} />
        </Boundary>
      )}
      {!showList && <ListKeys ticketId={ticketId} onOpen={open} />}
      {showList && showTicket && <Splitter width={width} />}
      {showTicket &&
        (chatId !== null ? (
          <ChatScreen chatId={chatId} />
        ) : ticket ? (
          <Conversation ticket={ticket} />
        ) : (
          <Room>{ticketId === null && <Welcome />}</Room>
        ))}
      {panel && ticket && (
        <div className="d-side">
          <SidePanel panel={panel} ticket={ticket} />
        </div>
      )}
      {ticket && find?.lane === ticket.id && <FindInTicket ticket={ticket} day={find.day} />}
      <WayIn />
      <AskedForMine />
      {scheduling && <ScheduleDialog {...scheduling} />}
      {dialog && <Dialogs dialog={dialog} />}
      {viewer && <Viewer messageId={viewer.messageId} lane={viewer.ticketId} />}
    </div>
  )
}

/** The line is there from the beginning. */
function SplitterRoom() {
  return <div className="d-splitter" />
}

function ConversationRoom() {
  return <Room />
}

function Room({ children }: { readonly children?: ReactNode }) {
  const t = useTexts('tickets')
  return (
    <section className="c-conversation" aria-label={t('messages')}>
      <div className="c-wall">
        <TilePattern />
        {children}
      </div>
    </section>
  )
}
