// A cart: how much, and its lines.
import { formatMoney, type MessageCardByKind, type Money, type OrderLine } from '@balcao/contract'
import { getLanguage, useTexts } from '@balcao/ui/i18n'
import { ShoppingCart } from 'lucide-react'
import { FormattedText } from '../FormattedText.tsx'
import { Head } from './Head.tsx'
import { useSome } from './use-some.tsx'

export function Order({ card }: { readonly card: MessageCardByKind<'order'> }) {
  const t = useTexts('tickets')
  const { count, total, lines, text, id } = card
  return (
    <div className="m-sheet m-whole">
      <Head icon={ShoppingCart}>{[t('card.order', { count }), total && sum(total)].filter(Boolean).join(', ')}</Head>
      <Lines lines={lines} />
      {text && <FormattedText text={text} />}
      {id && <span className="m-quiet">{t('card.number', { id })}</span>}
    </div>
  )
}

/** '2 × Café', what they cost together, and below what one of them does. */
export function Lines({ lines }: { readonly lines: readonly OrderLine[] }) {
  const t = useTexts('tickets')
  const [shown, more] = useSome(lines)
  if (lines.length === 0) return null
  return (
    <>
      <ul className="m-lines">
        {shown.map(({ name, quantity, price }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one order never move
          <li key={index}>
            <span>
              {quantity} × {name}
              {price && quantity !== 1 && <span className="m-quiet">{t('card.each', { price: sum(price) })}</span>}
            </span>
            {price && <span className="m-sum">{sum({ ...price, amount: price.amount * quantity })}</span>}
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

/** As the reader's language writes money. */
export function sum(money: Money): string {
  return formatMoney(money, getLanguage())
}
