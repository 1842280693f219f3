import type { Contact } from '@balcao/contract'
import type { NamedLiveEvent } from '@balcao/contract/events'
import { useBusy } from '@balcao/ui/ask'
import { describeError, formatMoment } from '@balcao/ui/i18n'
import { combineStops, live } from '@balcao/ui/live'
import { Bone, Button, ErrorState, Icon, Skeleton } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { useRows } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import {
  Ban,
  FileCheck2,
  type LucideIcon,
  Merge,
  MessageSquare,
  MessageSquareOff,
  Pencil,
  Send,
  Split,
  Star,
  UserPlus,
} from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { type ActivityRow, describeActivity, describeChangedFields, makeActivityOptions } from './past.ts'
import { usePanelTexts } from './texts.ts'
import { type ContactListActions, undoMerge } from './undo.ts'

interface PastProps {
  readonly contact: Contact
  readonly rows: ContactListActions
}

/** Everything that happened with a contact, newest first; a merge can be taken back from here. */
export function Past({ contact, rows: contacts }: PastProps) {
  const t = usePanelTexts()
  const [options] = useState(() => makeActivityOptions(contact))
  const rows = useRows(options)
  const reload = useEffectEvent(rows.look)
  const { id } = contact
  useEffect(
    () =>
      combineStops(
        live.on('contact', event => {
          if (event.action === 'reload' || getEventContactId(event) === id) reload()
        }),
        live.on('ticket', event => {
          if (event.action !== 'delete' && event.action !== 'updateUnread' && event.ticket.contactId === id) reload()
        }),
      ),
    [id],
  )
  return (
    <section aria-label={t('past.title')}>
      <h3 className="m-0 mb-2 text-cell font-semibold text-text-2">{t('past.title')}</h3>
      {rows.status === 'loading' && <Bones />}
      {rows.status === 'failed' && (
        <ErrorState title={t('past.failed')} text={describeError(rows.error)} onRetry={rows.reload} />
      )}
      {rows.status === 'ready' && rows.rows.length === 0 && (
        <p className="m-0 text-cell text-muted">{t('past.none')}</p>
      )}
      <ol className="m-0 list-none p-0">
        {rows.rows.map(deed => (
          <Line key={deed.id} deed={deed} contacts={contacts} />
        ))}
      </ol>
      {rows.nextCursor !== null && (
        <Button busy={rows.more === 'loading'} onClick={rows.goOn}>
          {t(rows.more === 'failed' ? 'past.again' : 'past.more')}
        </Button>
      )}
    </section>
  )
}

/** The contact an event is about, or the one it became. */
function getEventContactId(event: Exclude<NamedLiveEvent<'contact'>, { readonly action: 'reload' }>): number | null {
  return event.action === 'delete' ? event.mergedInto : event.contact.id
}

interface LineProps {
  readonly deed: ActivityRow
  readonly contacts: ContactListActions
}

function Line({ deed, contacts }: LineProps) {
  const t = usePanelTexts()
  const { editContact } = useUser()
  const [busy, during] = useBusy()
  const { what, at, user, ticketId, merge } = deed
  const changed = describeChangedFields(deed, t)
  return (
    <li className="flex gap-3 border-t border-line py-2.5 text-cell first:border-0">
      <span className="mt-0.5 flex-none text-text-2">
        <Icon of={ICONS[what] ?? Pencil} size={16} />
      </span>
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="break-words text-ink">
          {ticketId === null ? (
            describeActivity(deed, t)
          ) : (
            <Link className="text-primary-text" to={`/tickets/${ticketId}`}>
              {describeActivity(deed, t)}
            </Link>
          )}
        </span>
        {changed && <span className="break-words text-small text-text-2">{changed}</span>}
        <span className="text-small text-muted">
          <time dateTime={at}>{formatMoment(at)}</time>
          {user && ` · ${user.name}`}
        </span>
      </span>
      {merge && editContact && (
        <Button size="small" busy={busy} onClick={() => during(() => undoMerge(merge.id, contacts, t))}>
          {t('merge.undo')}
        </Button>
      )}
    </li>
  )
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  'contact.create': UserPlus,
  'contact.merge': Merge,
  'contact.unmerge': Split,
  'contact.optOut': Ban,
  'ticket.opened': MessageSquare,
  'ticket.closed': MessageSquareOff,
  rating: Star,
  protocol: FileCheck2,
  'send.handed': Send,
  'send.excluded': Ban,
}

function Bones() {
  return (
    <Skeleton>
      <Bone width="80%" />
      <Bone width="60%" />
      <Bone width="70%" />
    </Skeleton>
  )
}
