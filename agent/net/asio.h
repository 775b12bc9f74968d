// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one place where Asio's names are shortened; also the precompiled header of this layer.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace weir::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

template <class T = void>
using Task = asio::awaitable<T>;

/// Errors arrive as a value beside the result.
inline constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

} // namespace weir::net
