import type { Connection, ConnectionStatus } from '@balcao/contract'
import { splitPairCode } from '@balcao/contract/connections/qr-state'
import { extractDigits } from '@balcao/contract/contacts/phone'
import { isPairPhone } from '@balcao/contract/kit/validation'
import { api } from '@balcao/ui/api'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, copyText, DockedDialog, Field, TextInput, toast } from '@balcao/ui/parts'
import { Copy } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { PairingFoot } from './QrDialog.tsx'
import { Steps } from './Steps.tsx'

interface PairDialogProps {
  readonly connection: Connection
  /** The second step of one that was just added. */
  readonly onNext: (() => void) | undefined
  readonly onClose: () => void
}

/** After PAIRING these say that nobody typed the code in time. */
const GIVEN_UP: readonly ConnectionStatus[] = ['TIMEOUT', 'DISCONNECTED', 'LOGGEDOUT', 'qrcode']

/** Asks for the phone, shows the code in two groups and waits; closes by itself when connected. */
export function PairDialog({ connection, onNext, onClose }: PairDialogProps) {
  const t = useTexts('connections')
  const goOn = onNext ?? onClose
  const [phone, setPhone] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [pairCode, setAsked] = useState<string | null>(connection.status === 'PAIRING' ? connection.pairCode : null)
  const [busy, setBusy] = useState(false)
  // The server's newest code wins over the one that was answered to us.
  const code = pairCode && (connection.pairCode ?? pairCode)

  const connected = useEffectEvent(() => {
    toast.success(t('qr.done', { name: connection.name }))
    goOn()
  })
  const expired = useEffectEvent(() => {
    setAsked(null)
    setProblem(t('pair.expired'))
  })
  const before = useRef(connection.status)
  useEffect(() => {
    const was = before.current
    before.current = connection.status
    if (connection.status === 'CONNECTED') connected()
    else if (was === 'PAIRING' && GIVEN_UP.includes(connection.status)) expired()
  }, [connection.status])

  async function ask() {
    const digits = extractDigits(phone)
    const isRight = isPairPhone(digits)
    setProblem(isRight ? null : t('pair.wrong'))
    if (!isRight) return
    setBusy(true)
    try {
      const { paircode } = await api('POST /whatsapp/pair/:id', {
        params: { id: connection.id },
        body: { phone: digits },
      })
      setAsked(paircode)
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }

  return (
    <DockedDialog
      scrim={false}
      width={372}
      title={t('pair.title', { name: connection.name })}
      intro={t('pair.lead')}
      onClose={onClose}
      onSubmit={() => void ask()}
      footer={
        code ? (
          <PairingFoot onSkip={onNext} />
        ) : (
          <Button kind="primary" type="submit" busy={busy}>
            {t('pair.ask')}
          </Button>
        )
      }
    >
      {code ? (
        <div className="grid gap-4">
          <PairCode code={code} isTyped={connection.status === 'PAIRING' && connection.pairCode === null} />
          <Steps prefix="pair" />
          <Button kind="plain" className="-ml-3.5 justify-self-start" onClick={() => setAsked(null)}>
            {t('pair.again')}
          </Button>
        </div>
      ) : (
        <Field label={t('pair.phone')} hint={t('pair.hint')} error={problem} required>
          <TextInput
            value={phone}
            onChange={setPhone}
            inputMode="tel"
            autoComplete="tel"
            maxLength={25}
            data-autofocus=""
          />
        </Field>
      )}
    </DockedDialog>
  )
}

function PairCode({ code, isTyped }: { readonly code: string; readonly isTyped: boolean }) {
  const t = useTexts('connections')
  const [first, second] = splitPairCode(code)
  return (
    <div className="grid justify-items-center gap-2 rounded-card border border-line bg-canvas p-5">
      <p
        data-pair-code={`${first}${second}`}
        aria-label={`${t('pair.code')}: ${[...first, ...second].join(' ')}`}
        role="img"
        className="m-0 flex gap-3 font-mono text-[1.75rem]/9 font-semibold tracking-[.12em] text-ink"
      >
        <span>{first}</span>
        <span className="text-muted">–</span>
        <span>{second}</span>
      </p>
      <Button size="small" icon={Copy} onClick={() => void copyText(`${first}${second}`)}>
        {t('pair.copy')}
      </Button>
      <p role="status" className="m-0 flex items-center gap-2 text-small text-text-2">
        {t(isTyped ? 'qr.linking' : 'pair.waiting')}
      </p>
    </div>
  )
}
