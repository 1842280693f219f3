// A product: picture, title, price, and the way to it.
import type { Message, MessageCardByKind } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { File } from '../File.tsx'
import { FormattedText } from '../FormattedText.tsx'
import { sum } from './Order.tsx'
import { CardLink } from './press.tsx'

export function Product({ card, message }: { readonly card: MessageCardByKind<'product'>; readonly message: Message }) {
  const t = useTexts('tickets')
  const { title, text, price, code, link } = card
  return (
    <div className="m-sheet m-whole">
      <File message={message} />
      <p className="m-sheet-title">{title || t('media.product')}</p>
      {price && <p>{sum(price)}</p>}
      {text && <FormattedText text={text} />}
      {code && <span className="m-quiet">{t('card.code', { code })}</span>}
      {link && <CardLink href={link}>{t('card.seeProduct')}</CardLink>}
    </div>
  )
}
