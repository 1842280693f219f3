import { type MassSend, truncateText } from '@balcao/contract'
import reasons from '@balcao/contract/texts/send-reasons/pt.json'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { addTexts, formatMoment, formatNumber, type Texts, useTexts } from '@balcao/ui/i18n'
import { Segments, useNow } from '@balcao/ui/parts'
import { useNavigate, useParams } from '@balcao/ui/router'
import { type Column, DataPage, type RowAction, type Rows, useRows } from '@balcao/ui/screens'
import { Eye, Pause, Play, Send, X } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import pt from '../../locales/sends/pt.json'
import { useLiveEvent } from '../use-live-event.ts'
import { listSteps, type SendQuery } from './list.ts'
import { SENDS } from './live-list.ts'
import { NewSend } from './NewSend.tsx'
import { Progress } from './Progress.tsx'
import { SendPanel } from './SendPanel.tsx'
import { CancelSend, type Steering, useSteering } from './Steer.tsx'
import { describeAudience, summarizeSend } from './words.ts'

addTexts('sends', {
  pt,
  en: () => import('../../locales/sends/en.json'),
  es: () => import('../../locales/sends/es.json'),
})
addTexts('sends', {
  pt: reasons,
  en: () => import('@balcao/contract/texts/send-reasons/en.json'),
  es: () => import('@balcao/contract/texts/send-reasons/es.json'),
})

/** What a send's messages do is told often: the counts are asked for once it rests. */
const COUNTS_MS = 1000
const MINUTE_MS = 60_000
/** Three lines of words beside the progress. */
const ROW = 78

/** Mass sends (spec 3 §2): the list with its live progress, one of them beside it, or a new one. */
export default function SendsPage() {
  const { send } = useParams()
  return send === NEW ? <NewSend /> : <Sends chosen={Number(send) || null} />
}

const NEW = 'novo'

function Sends({ chosen }: { readonly chosen: number | null }) {
  const t = useTexts('sends')
  const rows = useRows(SENDS)
  const navigate = useNavigate()
  const [cancelled, cancel] = useState<MassSend | null>(null)
  const now = useNow(MINUTE_MS, rows.rows.length > 0)
  const columns = useMemo(() => makeColumns(t, new Date(now)), [t, now])
  const show = (id: number | null) => void navigate(id === null ? '/envios' : `/envios/${id}`)
  const { put } = rows
  const turn = useSteering(put)
  const steer = useCallback(
    ({ send, steering }: { send: MassSend; steering: Steering }) =>
      steering === 'cancel' ? cancel(send) : turn(send, steering),
    [turn],
  )
  const actions = useMemo<RowAction<MassSend>[]>(() => {
    const action = (steering: Steering, icon: typeof Pause, when: RowAction<MassSend>['when']) => ({
      ...{ id: steering, icon, when, perform: (send: MassSend) => steer({ send, steering }) },
    })
    return [
      action('pause', Pause, send => listSteps(send).paused),
      action('resume', Play, send => listSteps(send).resumed),
      action('cancel', X, send => listSteps(send).cancelled),
    ]
  }, [steer])
  return (
    <>
      <DataPage
        texts="sends"
        icon={Send}
        rows={rows}
        columns={columns}
        height={ROW}
        nameOf={summarizeSend}
        chosen={chosen}
        filters={<ShowTabs rows={rows} />}
        actions={[...actions, { id: 'view', icon: Eye, perform: ({ id }) => show(id) }]}
        onAdd={() => void navigate(`/envios/${NEW}`)}
        cardOf={send => ({
          title: <span className="line-clamp-2 min-w-0 text-body font-semibold">{send.mensagem}</span>,
          note: (
            <span className="block pr-2 pb-2 text-cell text-text-2">
              <Progress send={send} now={new Date(now)} />
              {describeAudience(send, t)} · {describeAuthor(send)}
            </span>
          ),
        })}
        panel={chosen !== null && <SendPanel key={chosen} id={chosen} onSteer={steer} onClose={() => show(null)} />}
      />
      {cancelled && <CancelSend send={cancelled} onDone={put} onClose={() => cancel(null)} />}
    </>
  )
}

const SHOWN = ['all', 'active', 'stopped', 'ended'] as const

/** By how they stand, with how many do. */
function ShowTabs({ rows }: { readonly rows: Rows<MassSend, SendQuery> }) {
  const t = useTexts('sends')
  const { last, again } = useQuery(
    'counts',
    async signal => (await api('GET /envioMassa', { query: { limit: 1 }, signal })).counts,
    { waitMs: COUNTS_MS / 10 },
  )
  useLiveEvent('envioMassa', again, COUNTS_MS)
  const tabs = SHOWN.map(id => ({
    id,
    label: t(`show.${id}`),
    badge: last && <span className="font-normal text-muted">{formatNumber(last[id])}</span>,
  }))
  const { show } = rows.filters
  return (
    <Segments
      label={t('show.label')}
      tabs={tabs}
      chosen={show ?? 'all'}
      onChoose={id => rows.filter({ show: id === 'all' ? null : id })}
      className="max-w-full overflow-x-auto"
    />
  )
}

function makeColumns(t: Texts, now: Date): readonly Column<MassSend>[] {
  return [
    {
      id: 'message',
      cell: send => (
        <span className="grid min-w-0 py-1.5">
          <bdi className="line-clamp-2 break-words" title={truncateText(send.mensagem, 400)}>
            {send.mensagem}
          </bdi>
          <span className="truncate text-small font-normal text-text-2">{describeAuthor(send)}</span>
        </span>
      ),
    },
    { id: 'progress', width: 'w-[34%]', cell: send => <Progress send={send} now={now} /> },
    { id: 'recipients', width: 'w-[17%]', cell: send => describeAudience(send, t) },
  ]
}

/** Who began it, and when. */
function describeAuthor({ user, createdAt }: MassSend): string {
  return [user?.name, formatMoment(createdAt)].filter(Boolean).join(' · ')
}
