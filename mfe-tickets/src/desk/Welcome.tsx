// Beside the list while no conversation is open.
import { useTexts } from '@balcao/ui/i18n'
import { EmptyState } from '@balcao/ui/parts'
import { FirstAction } from '../list/FirstAction.tsx'
import '../list/empty-texts.ts'

export default function Welcome() {
  const t = useTexts('tickets')
  return (
    <div className="c-welcome">
      <EmptyState icon="bell" title={t('welcome.title')} text={t('welcome.text')}>
        <FirstAction name="new" />
      </EmptyState>
    </div>
  )
}
