import type { MassSend, MassSendDetail } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { describeError, formatMoment, formatNumber, type Texts, useTexts } from '@balcao/ui/i18n'
import { Button, Chips, Drawer, ErrorState, joinClasses, RowSkeletons, useNarrowerThan, useNow } from '@balcao/ui/parts'
import { FileLabel } from '@balcao/ui/screens'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLiveEvent } from '../use-live-event.ts'
import { listSteps } from './list.ts'
import { Progress } from './Progress.tsx'
import { SendRecipients } from './SendRecipients.tsx'
import type { Steering } from './Steer.tsx'
import { Stopped } from './Stopped.tsx'
import { describeAudience, describeReason } from './words.ts'

interface SendPanelProps {
  readonly id: number
  readonly onSteer: (steered: { send: MassSend; steering: Steering }) => void
  readonly onClose: () => void
}

/** Ticks come in flocks. */
const REST_MS = 400
const MINUTE_MS = 60_000

/** One send beside the list, read-only (spec 3 §2): how it stands, what it says, to whom, and what became of each. */
export function SendPanel({ id, onSteer, onClose }: SendPanelProps) {
  const t = useTexts('sends')
  const isNarrow = useNarrowerThan('wide')
  const { last, error, again } = useQuery(
    `send ${id}`,
    signal => api('GET /envioMassa/:id', { params: { id }, signal }),
    { waitMs: REST_MS / 8 },
  )
  useLiveEvent('envioMassa', again, REST_MS, ({ envioMassaId }) => envioMassaId === id)
  return (
    <Drawer
      title={last ? t('detail.title', { when: formatMoment(last.createdAt) }) : t('detail.loading')}
      onClose={onClose}
      width={462}
      over={isNarrow}
      takesFocus
    >
      {last ? (
        <Detail send={last} onSteer={onSteer} />
      ) : error ? (
        <ErrorState title={t('detail.failedToLoad')} text={describeError(error)} onRetry={again} />
      ) : (
        <RowSkeletons />
      )}
    </Drawer>
  )
}

function Detail({ send, onSteer }: { readonly send: MassSendDetail } & Pick<SendPanelProps, 'onSteer'>) {
  const t = useTexts('sends')
  const now = useNow(MINUTE_MS)
  const may = listSteps(send)
  const { counts } = send
  const got = counts.sent + counts.delivered + counts.read + counts.sending + counts.unknown
  const buttons: readonly (readonly [Steering, boolean])[] = [
    ['resume', may.resumed],
    ['pause', may.paused],
    ['cancel', may.cancelled],
  ]
  const box = useRef<HTMLDivElement>(null)
  // Its buttons go with the send: who has just pressed one is still in the panel.
  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (!may.cancelled && activeElement === body) box.current?.focus({ preventScroll: true })
  }, [may.cancelled])
  return (
    <div ref={box} tabIndex={-1} className="grid grid-cols-1 gap-4 p-5 outline-none max-sm:p-4">
      {send.state === 'stopped' ? <Stopped send={send} /> : <Progress send={send} now={new Date(now)} />}
      <dl className="m-0 flex overflow-hidden rounded-card border border-line">
        <Figure label={t('detail.got')} value={got} />
        <Figure label={t('detail.failed')} value={counts.failed} danger={counts.failed > 0} />
        <Figure
          label={t(send.state === 'cancelled' ? 'detail.notSent' : 'detail.left')}
          value={counts.waiting + counts.cancelled}
        />
        <Figure label={t('detail.optedOut')} value={counts.optedOut} />
      </dl>
      {may.cancelled && (
        <div className="flex flex-wrap gap-2">
          {buttons
            .filter(([, able]) => able)
            .map(([steering], at) => (
              <Button
                // One button, whose verb turns: the focus stays on it.
                key={steering === 'cancel' ? steering : 'run'}
                kind={at === 0 && steering === 'resume' ? 'primary' : 'normal'}
                className={steering === 'cancel' ? '' : 'flex-1'}
                onClick={() => onSteer({ send, steering })}
              >
                {steering === 'resume' && counts.failed > 0
                  ? t('detail.resumeWithout', { count: counts.failed })
                  : t(`detail.${steering}`)}
              </Button>
            ))}
        </div>
      )}
      <Message send={send} />
      <Facts send={send} />
      <SendRecipients id={send.id} counts={counts} version={send.version} />
    </div>
  )
}

function Figure({
  label,
  value,
  danger,
}: {
  readonly label: string
  readonly value: number
  readonly danger?: boolean
}) {
  return (
    <div className="flex-auto border-line px-3 py-2 not-first:border-l">
      <dd className={joinClasses('m-0 text-dialog font-semibold tabular-nums', danger && 'text-danger')}>
        {formatNumber(value)}
      </dd>
      <dt className="text-small text-text-2">{label}</dt>
    </div>
  )
}

/** As it was written, on the wall. */
function Message({ send: { mensagem, mediaName } }: { readonly send: MassSendDetail }) {
  const t = useTexts('sends')
  return (
    <section aria-label={t('column.message')} className="rounded-card bg-wall p-2.5">
      <div className="grid gap-1.5 rounded-card bg-surface px-3 py-2 text-body break-words whitespace-pre-line text-ink">
        {mediaName && <FileLabel name={mediaName} />}
        <bdi>{mensagem}</bdi>
      </div>
    </section>
  )
}

/** To whom, by which connection, by whom, and who is left out. */
function Facts({ send }: { readonly send: MassSendDetail }) {
  const t = useTexts('sends')
  const { contacts, tags, whatsapp, user, excluded, onlyWorkingHours, onlyWhoWrote } = send
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['recipients', send.allContacts ? describeAudience(send, t) : <Named key="named" {...{ contacts, tags, t }} />],
    ['connection', whatsapp?.name],
    ['by', user?.name],
    ['pace', [onlyWorkingHours && t('onlyHours'), onlyWhoWrote && t('onlyWrote')].filter(Boolean).join(' · ')],
    [
      'excluded',
      excluded.map(({ reason, count }) => `${describeReason(reason, t)}: ${formatNumber(count)}`).join(' · '),
    ],
  ]
  return (
    <dl className="m-0 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-small">
      {facts
        .filter(([, value]) => Boolean(value))
        .map(([key, value]) => (
          <div key={key} className="contents">
            <dt className="text-muted">{t(`detail.${key}`)}</dt>
            <dd className="m-0 flex min-w-0 flex-wrap gap-1 break-words text-ink">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

const NAMED = 12

function Named({ contacts, tags, t }: Pick<MassSendDetail, 'contacts' | 'tags'> & { readonly t: Texts }) {
  const names = contacts.slice(0, NAMED).map(({ name, number }) => name || number || t('noName'))
  const rest = contacts.length - names.length
  return (
    <>
      <Chips tags={tags} most={NAMED} />
      {names.length > 0 && <span>{names.join(', ')}</span>}
      {rest > 0 && <span className="text-muted">{t('detail.more', { count: rest })}</span>}
    </>
  )
}
