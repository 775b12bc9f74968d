// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/pg_wire.h"
#include "agent/store/sql.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::store {

class PgConnection;

/// A statement of a PgConnection, prepared once on each of its connections.
class PgStatement final : public PreparedStatement
{
public:
    /// `number` names it on the server.
    PgStatement(PgConnection& db, std::string_view sql, std::size_t number);

    void bind(std::string_view text) override;
    void bind(std::int64_t value) override;
    void bind(double value) override;
    void bindNull() override;
    [[nodiscard]] Result<bool> next(Rows rows) override;
    void reset() override;

    [[nodiscard]] bool isNull(int column) const override;
    [[nodiscard]] std::string text(int column) const override;
    [[nodiscard]] std::int64_t integer(int column) const override;
    [[nodiscard]] double real(int column) const override;

private:
    enum class State : std::uint8_t { Ready, Whole, Streaming, Over };

    [[nodiscard]] std::optional<std::string>& nextValue();
    [[nodiscard]] Status<> prepare(PgWire& wire);
    [[nodiscard]] Status<> start(Rows rows);
    [[nodiscard]] Result<bool> nextStreamed();
    [[nodiscard]] std::string_view cell(int column) const;

    PgConnection& m_db;
    std::string m_sql;
    std::string m_name;
    std::int64_t m_preparedOn = 0;

    /// The first `m_bound` count.
    std::vector<std::optional<std::string>> m_values;
    std::size_t m_bound = 0;

    State m_state = State::Ready;
    PgWire* m_wire = nullptr;
    PgResult m_result;
    int m_row = -1;
};

} // namespace weir::store
