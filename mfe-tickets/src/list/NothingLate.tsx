import { useTexts } from '@balcao/ui/i18n'
import { EmptyState } from '@balcao/ui/parts'
import { AlarmClock } from 'lucide-react'
import './due-texts.ts'

/** In place of the rows, where only what is late is shown. */
export default function NothingLate() {
  const t = useTexts('tickets')
  return <EmptyState icon={AlarmClock} title={t('late.empty')} text={t('late.emptyText')} />
}
