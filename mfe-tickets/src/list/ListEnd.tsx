// Under the last row: that it is the last one.
import { useTexts } from '@balcao/ui/i18n'
import { FirstStepsLink } from './FirstStepsLink.tsx'
import './empty-texts.ts'

export default function ListEnd() {
  const t = useTexts('tickets')
  return (
    <>
      {t('list.end')} <FirstStepsLink />
    </>
  )
}
