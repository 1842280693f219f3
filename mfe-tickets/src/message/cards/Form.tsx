// What somebody filled in, in the words of the form's maker.
import type { MessageCardByKind } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { ClipboardList } from 'lucide-react'
import { FormattedText } from '../FormattedText.tsx'
import { Head } from './Head.tsx'
import { useSome } from './use-some.tsx'

export function Form({ card }: { readonly card: MessageCardByKind<'form'> }) {
  const t = useTexts('tickets')
  const [shown, more] = useSome(card.fields)
  return (
    <div className="m-sheet m-whole">
      <Head icon={ClipboardList}>{card.title || t('media.form')}</Head>
      <dl className="m-answers">
        {shown.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the answers of one form never move
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value.trim() === '' ? '—' : <FormattedText text={value} />}</dd>
          </div>
        ))}
      </dl>
      {more}
    </div>
  )
}
