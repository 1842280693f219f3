import { addTexts, useTexts } from '@balcao/ui/i18n'
import { Tabs } from '@balcao/ui/parts'
import { useSearchParams } from '@balcao/ui/router'
import tokensPt from '../../locales/api-tokens/pt.json'
import pt from '../../locales/integrations/pt.json'
import { TokensPage } from './TokensPage.tsx'
import { WebhooksPage } from './WebhooksPage.tsx'

addTexts('integrations', {
  pt,
  en: () => import('../../locales/integrations/en.json'),
  es: () => import('../../locales/integrations/es.json'),
})
addTexts('api-tokens', {
  pt: tokensPt,
  en: () => import('../../locales/api-tokens/en.json'),
  es: () => import('../../locales/api-tokens/es.json'),
})

/** How other programs and the desk know of each other: what these are told, and the tokens with which they call. */
export default function IntegrationsPage() {
  const t = useTexts('integrations')
  const [params, setParams] = useSearchParams()
  const chosen = params.has('tokens') ? 'tokens' : 'webhooks'
  const tabs = (
    <Tabs
      label={t('title')}
      tabs={[
        { id: 'webhooks', label: t('tab.webhooks') },
        { id: 'tokens', label: t('tab.tokens') },
      ]}
      chosen={chosen}
      onChoose={tab => setParams(tab === 'tokens' ? 'tokens' : '', { replace: true })}
      className="mb-4"
    />
  )
  return chosen === 'tokens' ? <TokensPage above={tabs} /> : <WebhooksPage above={tabs} />
}
