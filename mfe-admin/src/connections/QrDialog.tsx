import type { Connection } from '@balcao/contract'
import { type QrState, resolveQrState } from '@balcao/contract/connections/qr-state'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Ring, toast, useNow } from '@balcao/ui/parts'
import { QrCode as QrIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { type ConnectionPage, startAfresh } from './actions.ts'
import { QrCode } from './QrCode.tsx'
import { QrSquare } from './QrSquare.tsx'
import { Steps } from './Steps.tsx'

/** The line below the square; as high without words, so that nothing jumps when a code comes or runs out. */
const UNDER_CODE = 'm-0 flex min-h-5 items-center justify-center gap-1.5 text-small text-text-2'

interface QrDialogProps {
  readonly connection: Connection
  readonly desk: ConnectionPage
  /** The second step of one that was just added. */
  readonly onNext: (() => void) | undefined
  readonly onClose: () => void
}

/** The QR code beside the list, always the newest; closes by itself when connected (spec 2 §2). */
export function QrDialog({ connection, desk, onNext, onClose }: QrDialogProps) {
  const t = useTexts('connections')
  const goOn = onNext ?? onClose
  const now = useNow(250)
  const [openedAt] = useState(() => Date.now())
  const state = resolveQrState(connection, now, openedAt)
  const canType = connection.capabilities.pair.includes('code')
  useNewest(connection, state)

  const connected = useEffectEvent(() => {
    toast.success(t('qr.done', { name: connection.name }))
    goOn()
  })
  useEffect(() => {
    if (state.step === 'connected') connected()
  }, [state.step])

  return (
    <DockedDialog
      scrim={false}
      width={372}
      title={t('qr.title', { name: connection.name })}
      intro={t('qr.lead')}
      onClose={onClose}
      footer={<PairingFoot onSkip={onNext} />}
    >
      <div className="grid gap-3.5">
        <Code state={state} connection={connection} desk={desk} />
        <Steps prefix="qr" />
        {canType && (
          <Button
            kind="plain"
            className="-ml-3.5 justify-self-start"
            onClick={() => desk.open({ kind: 'pair', id: connection.id })}
          >
            {t('qr.byCode')}
          </Button>
        )}
      </div>
    </DockedDialog>
  )
}

/** What happens once the phone is linked; a new connection can be finished before. */
export function PairingFoot({ onSkip }: { readonly onSkip: (() => void) | undefined }) {
  const t = useTexts('connections')
  return (
    <span className="flex w-full flex-wrap items-center justify-between gap-2">
      <span className="min-w-0 flex-1 px-1 text-left text-small text-text-2">
        {t(onSkip ? 'qr.footNew' : 'qr.foot')}
      </span>
      {onSkip && (
        <Button kind="plain" onClick={onSkip}>
          {t('qr.skip')}
        </Button>
      )}
    </span>
  )
}

/** A kind that gives a new code only to who asks is asked: now and then, and at once when the code has run out (spec 2 §4). */
function useNewest({ id, capabilities: { qrAskMs } }: Connection, state: QrState) {
  const hasRunOut = state.step === 'code' && state.secondsLeft === 0
  const isOver = state.step === 'connected' || state.step === 'linking'
  useEffect(() => {
    if (qrAskMs === 0 || isOver) return undefined
    const ask = () => void api('GET /whatsapp/meow/qr/:id', { params: { id } }).catch(() => {})
    const timer = setInterval(ask, hasRunOut ? SOON_MS : qrAskMs)
    return () => clearInterval(timer)
  }, [id, qrAskMs, isOver, hasRunOut])
}

/** A code that has run out is asked for again this soon. */
const SOON_MS = 1000

function Code({ state, connection, desk }: { state: QrState; connection: Connection; desk: ConnectionPage }) {
  const t = useTexts('connections')
  if (state.step === 'code')
    return (
      <>
        <QrCode text={state.text} name={connection.name} stale={state.secondsLeft === 0} />
        <p className={UNDER_CODE} role="timer" aria-live="off">
          <Ring share={state.share} />
          {state.secondsLeft > 0 ? t('qr.newIn', { seconds: state.secondsLeft }) : t('qr.newSoon')}
        </p>
      </>
    )
  if (state.step === 'expired') return <Expired connection={connection} desk={desk} />
  return (
    <>
      <QrSquare className="bg-canvas p-3.5">
        <span className="b-bone rounded-tag" aria-hidden="true" />
      </QrSquare>
      <p className={UNDER_CODE} role="status">
        {t(`qr.${state.step === 'connected' ? 'linking' : state.step}`)}
      </p>
    </>
  )
}

function Expired({ connection, desk }: { readonly connection: Connection; readonly desk: ConnectionPage }) {
  const t = useTexts('connections')
  const [busy, during] = useBusy()
  const again = () => during(async () => desk.put(await startAfresh(connection.id)))
  return (
    <>
      <QrSquare className="place-content-center justify-items-center gap-4 bg-canvas p-6 text-center">
        <div role="status">
          <p className="m-0 text-card font-semibold text-ink">{t('qr.expired')}</p>
          <p className="mt-1 mb-0 text-cell text-text-2">{t('qr.expiredText')}</p>
        </div>
        <Button kind="primary" icon={QrIcon} busy={busy} onClick={again}>
          {t('qr.again')}
        </Button>
      </QrSquare>
      <div className={UNDER_CODE} />
    </>
  )
}
