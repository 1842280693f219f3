// What happened with a contact as the server tells it, page by page, and in whose words.
import type { Contact, ContactActivity } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { hasText } from '@balcao/ui/i18n'
import type { LiveRowOptions, RowQuery } from '@balcao/ui/screens'
import type { PanelTexts } from './texts.ts'

/** A deed as a row: the server's key is its id, and it never changes. */
export type ActivityRow = Omit<ContactActivity, 'id'> & { readonly id: number; readonly version: number }

/** The newest first. What comes is fetched: no event tells a deed. */
export function makeActivityOptions({ id }: Pick<Contact, 'id'>): LiveRowOptions<ActivityRow, RowQuery> {
  return {
    start: { search: '' },
    order: (one, other) => (one.at === other.at ? other.id - one.id : one.at < other.at ? 1 : -1),
    matches: () => true,
    async page(_, cursor, signal) {
      const query = cursor === null ? {} : { cursor }
      const { history, nextCursor } = await api('GET /contacts/:id/history', { params: { id }, query, signal })
      return { rows: history.map(deed => ({ ...deed, id: Number(deed.id), version: 1 })), nextCursor }
    },
    events: () => () => {},
  }
}

/** What happened, in one sentence. */
export function describeActivity({ what, params, other, ticketId }: ActivityRow, t: PanelTexts): string {
  const named = { ...toTextParams(params), name: other?.name || t('noName'), ticket: ticketId ?? '' }
  switch (what) {
    case 'send.handed':
      return t(params?.scheduleId ? 'past.scheduled' : 'past.sent', named)
    case 'send.excluded':
      return t('past.leftOut', named)
    default: {
      const key = `past.${what.replace(/^contact\./, '')}`
      // A newer server may tell of what this page has no words for.
      return t(hasText('contact-panel', key) ? key : 'past.update', named)
    }
  }
}

/** What changed, by the names of its fields. */
export function describeChangedFields({ params }: ActivityRow, t: PanelTexts): string {
  const changes = Array.isArray(params?.changes) ? params.changes : []
  const fields = changes.flatMap((change: { readonly field?: unknown }) =>
    typeof change.field === 'string' ? change.field : [],
  )
  return fields.map(field => t(`past.field.${field}`)).join(', ')
}

function toTextParams(params: ActivityRow['params']): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )
}
