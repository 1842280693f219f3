module.exports = globalThis.__BALCAO_REFRESH__ ??= require('react-refresh-real/runtime')
