// A charge, a Pix key, or what became of a payment.
import type { Message, MessageCardByKind } from '@balcao/contract'
import { hasText, useTexts } from '@balcao/ui/i18n'
import { Banknote, CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import { File } from '../File.tsx'
import { FormattedText } from '../FormattedText.tsx'
import { Head } from './Head.tsx'
import { Lines, sum } from './Order.tsx'
import { CardLink, CopyButton } from './press.tsx'

const ICONS = { asked: Banknote, paid: CircleCheck, declined: CircleAlert, canceled: CircleX } as const

export function Payment({ card, message }: { readonly card: MessageCardByKind<'payment'>; readonly message: Message }) {
  const t = useTexts('tickets')
  const { text, total, state, pix, code, link, reference, lines } = card
  const label = pix && state === 'asked' && !total ? t('card.pixKey') : t(`card.payment.${state}`)
  return (
    <div className={`m-sheet m-whole is-${state}`}>
      <Head icon={ICONS[state]}>{[label, total && sum(total)].filter(Boolean).join(': ')}</Head>
      <File message={message} />
      {text && <FormattedText text={text} />}
      <Lines lines={lines} />
      {pix && (
        <div className="m-copied">
          {pix.holder && <p>{pix.holder}</p>}
          <p>
            <span className="m-quiet">
              {hasText('tickets', `card.pix.${pix.type}`) ? t(`card.pix.${pix.type}`) : pix.type || t('card.pixKey')}
            </span>
            <span className="m-key">{pix.key}</span>
          </p>
          <CopyButton text={pix.key}>{t('card.copyKey')}</CopyButton>
        </div>
      )}
      {code && (
        <div className="m-copied">
          <p>
            <span className="m-quiet">{t(`card.${namePaymentCode(code)}`)}</span>
            <span className="m-key is-long">{code}</span>
          </p>
          <CopyButton text={code}>{t('card.copyCode')}</CopyButton>
        </div>
      )}
      {link && <CardLink href={link}>{t('card.pay')}</CardLink>}
      {reference && <span className="m-quiet">{t('card.reference', { reference })}</span>}
    </div>
  )
}

/** Pix "copia e cola" begins as every EMV code does; a boleto's line has 47 or 48 digits. */
function namePaymentCode(code: string): string {
  if (/^000201/.test(code)) return 'pixCode'
  return /^\d{44,48}$/.test(code.replace(/[\s.-]/g, '')) ? 'boleto' : 'paymentCode'
}
