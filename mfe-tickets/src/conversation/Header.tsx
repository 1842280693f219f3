// Who it is, where it belongs, and what can be done: with words where there is room (look §5).
import { useTexts } from '@balcao/ui/i18n'
import {
  Avatar,
  Button,
  Chip,
  Chips,
  defineLatePart,
  IconButton,
  Menu,
  QueueDot,
  useNarrowerThan,
} from '@balcao/ui/parts'
import { ChevronLeft, Clock, EllipsisVertical, Pause } from 'lucide-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { toMenuItems } from '../actions/menu-items.ts'
import { listActions } from '../actions/register.ts'
import { performOnPress, type TicketAction, type TicketContext } from '../actions/ticket-action.ts'
import { togglePanel, view } from '../desk/view.ts'
import { describePauseEnd } from '../list/pause-end.ts'
import { describeWait } from '../list/TicketRow.tsx'
import { useAi } from '../message/ai.ts'
import { useTyping } from '../tickets/use-tickets.ts'
import { useMinute } from '../use-minute.ts'
import { formatFirstNames, useViewers } from '../viewers/use-viewers.ts'

const HeaderFaces = defineLatePart(async () => ({ default: (await import('./late-header.ts')).HeaderFaces }), 'nowhere')
const ChatTimer = defineLatePart(async () => ({ default: (await import('./late-header.ts')).ChatTimer }), 'nowhere')

const WORDS_FROM = 760
/** Below it (a page 1024 px wide) the name needs the room: what is used least stands behind the dots. */
const ALL_FROM = 620
const FEW = 3

export function Header({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const phone = useNarrowerThan('phone')
  const oneColumn = useNarrowerThan('narrow')
  const box = useRef<HTMLElement>(null)
  const width = useWidth(box)
  const { ticket } = context
  const { drawer } = useSnapshot(view)
  useAi()
  const actions = listActions(context)
  // While it only waits there is one thing to do; the rest stands behind the dots.
  const few = width < ALL_FROM ? FEW : undefined
  const inBar = ticket.status === 'open' ? actions.filter(action => action.place === 'bar').slice(0, few) : []
  const menu = actions.filter(action =>
    phone ? action.place === 'menu' : action.place !== 'main' && !inBar.includes(action),
  )
  const name = ticket.contact.name || t('noName')
  return (
    <>
      <header ref={box} className="c-header">
        {oneColumn && (
          <>
            <h1 className="b-only-read">{name}</h1>
            <IconButton icon={ChevronLeft} label={t('back')} onClick={() => context.open(null)} />
          </>
        )}
        <button
          type="button"
          className="c-who"
          aria-expanded={drawer === 'contact'}
          title={t('openContact', { name })}
          onClick={() => {
            togglePanel('contact')
          }}
        >
          <Avatar
            id={ticket.contactId}
            name={name}
            photo={ticket.contact.profilePicUrl}
            group={ticket.isGroup}
            size={40}
          />
          <span className="c-who-text">
            <span className="c-name">
              <h2 dir="auto">{name}</h2>
              <ChatTimer ticket={ticket} />
              {ticket.status === 'paused' && ticket.pauseTag && <Chip icon={Pause}>{ticket.pauseTag}</Chip>}
              {ticket.status === 'closed' && <Chip>{t('row.closed')}</Chip>}
              {!phone && ticket.contact.tags.length > 0 && (
                <span className="c-tags">
                  <Chips tags={ticket.contact.tags} />
                </span>
              )}
            </span>
            <Facts context={context} />
          </span>
        </button>
        {ticket.status === 'pending' && !phone && <Waiting context={context} />}
        <HeaderFaces ticketId={ticket.id} most={phone ? 2 : 4} />
        {!phone && (
          <div className="c-actions">
            {inBar.map(action => (
              <BarButton key={action.id} action={action} context={context} words={width >= WORDS_FROM} />
            ))}
            {actions
              .filter(action => action.place === 'main')
              .map(action => (
                <Button
                  key={action.id}
                  kind="primary"
                  icon={action.icon}
                  aria-keyshortcuts={action.shortcut}
                  data-action={action.id}
                  onClick={event => performOnPress(event, action, context)}
                >
                  {t(action.labelKey)}
                </Button>
              ))}
          </div>
        )}
        <Menu
          label={t('more')}
          items={toMenuItems(menu, context, t)}
          button={props => <IconButton {...props} icon={EllipsisVertical} label={t('more')} />}
        />
      </header>
      {phone && <Strip actions={actions.filter(action => action.place !== 'menu')} context={context} />}
    </>
  )
}

function Facts({ context: { ticket, viewer } }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const phone = useNarrowerThan('phone')
  const typing = useTyping(ticket.id)
  const now = useMinute()
  const writers = useViewers(ticket.id).filter(person => person.writing)
  // Where one writes it stands over the composer: once is enough.
  if (writers.length > 0 && ticket.status !== 'open')
    return (
      <span className="c-facts is-typing">
        {t('viewers.writing', { count: writers.length, who: formatFirstNames(writers, t) })}
      </span>
    )
  if (typing) return <span className="c-facts is-typing">{t(`typing.${typing}`)}</span>
  const ends = describePauseEnd(ticket, t, now)
  const facts = [
    ...(ends ? [ends] : []),
    ...(ticket.user && ticket.userId !== viewer.id ? [t('row.with', { name: ticket.user.name })] : []),
    ticket.queue?.name ?? t('noQueue'),
    ticket.whatsapp.name,
    ...(phone ? [] : [t('number', { id: ticket.id })]),
  ]
  return (
    <span className="c-facts">
      {ticket.queue && <QueueDot color={ticket.queue.color} />}
      <span>{facts.join(' · ')}</span>
    </span>
  )
}

function Waiting({ context: { ticket } }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const now = useMinute()
  return (
    <span className="b-pill is-waiting">
      <Clock size={14} strokeWidth={2} aria-hidden="true" />
      {describeWait(ticket, t, now)}
    </span>
  )
}

function BarButton({ action, context, words }: { action: TicketAction; context: TicketContext; words: boolean }) {
  const t = useTexts('tickets')
  const pressed = (event: MouseEvent) => performOnPress(event, action, context)
  const worded = words && (action.id === 'ticket.transfer' || action.id === 'ticket.pause')
  return worded ? (
    <Button icon={action.icon} aria-keyshortcuts={action.shortcut} data-action={action.id} onClick={pressed}>
      {t(action.labelKey)}
    </Button>
  ) : (
    <IconButton
      icon={action.icon}
      label={t(action.labelKey)}
      shortcut={action.shortcut}
      data-action={action.id}
      onClick={pressed}
    />
  )
}

/** On phones the actions scroll in a strip under the header. */
function Strip({ actions, context }: { readonly actions: readonly TicketAction[]; readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const sorted = [...actions].sort((a, b) => Number(b.place === 'main') - Number(a.place === 'main'))
  return (
    <div className="c-strip">
      {sorted.map(action => (
        <Button
          key={action.id}
          kind={action.place === 'main' ? 'primary' : 'normal'}
          icon={action.icon}
          data-action={action.id}
          onClick={event => performOnPress(event, action, context)}
        >
          {t(action.labelKey)}
        </Button>
      ))}
    </div>
  )
}

function useWidth(box: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(1000)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
