import { createRemoteConfig } from '@balcao/ui/build/config'

export default createRemoteConfig(import.meta.dirname, { name: 'mfe_automation' })
