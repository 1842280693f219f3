// A question with its options. Who chose what is sealed for phones.
import type { MessageCardByKind } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { ChartBarBig, Circle, Square } from 'lucide-react'
import { Head } from './Head.tsx'
import { useSome } from './use-some.tsx'

export function Poll({ card }: { readonly card: MessageCardByKind<'poll'> }) {
  const t = useTexts('tickets')
  const { question, options, isMultiple } = card
  const [shown, more] = useSome(options)
  return (
    <div className="m-sheet m-whole">
      <Head icon={ChartBarBig}>{question || t('media.poll')}</Head>
      <span className="m-quiet">{t(isMultiple ? 'card.pollMany' : 'card.pollOne')}</span>
      <ul className="m-options">
        {shown.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the options of one poll never move
          <li key={index}>
            <Icon of={isMultiple ? Square : Circle} size={16} />
            <span>{option}</span>
          </li>
        ))}
      </ul>
      {more}
      <span className="m-quiet">{t('card.pollAnswers')}</span>
    </div>
  )
}
