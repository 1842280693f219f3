// The mass sends as a live list of rows.
import type { MassSend } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { askedRows, type LiveRowMeans } from '@balcao/ui/screens'
import { matches, newestFirst, type SendQuery } from './list.ts'

export const SENDS: LiveRowMeans<MassSend, SendQuery> = {
  start: { search: '', show: null },
  order: newestFirst,
  matches,
  async page({ show }, cursor, signal) {
    const query = { show: show ?? undefined, cursor: cursor ?? undefined }
    const { envios: rows, nextCursor, count } = await api('GET /envioMassa', { query, signal })
    return { rows, nextCursor, count }
  },
  events: askedRows('envioMassa', id => api('GET /envioMassa/:id', { params: { id } })),
}
