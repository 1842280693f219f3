/** A cookie that pages may read. It opens nothing: its value is another one after each renewal of a session. */
export const RENEWAL_COOKIE = 'balcao_renewal'
