// The mass sends as a live list of rows.
import type { MassSend } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type LiveRowOptions, subscribeToRowIds } from '@balcao/ui/screens'
import { compareNewestFirst, isSendShown, type SendQuery } from './list.ts'

export const SENDS: LiveRowOptions<MassSend, SendQuery> = {
  start: { search: '', show: null },
  order: compareNewestFirst,
  matches: isSendShown,
  async page({ show }, cursor, signal) {
    const query = { show: show ?? undefined, cursor: cursor ?? undefined }
    const { envios: rows, nextCursor, count } = await api('GET /envioMassa', { query, signal })
    return { rows, nextCursor, count }
  },
  events: subscribeToRowIds('envioMassa', id => api('GET /envioMassa/:id', { params: { id } })),
}
